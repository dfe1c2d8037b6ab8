import { createProducer } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { createFallbacks } from "@asset-register/redis";
import type { Part, ServiceBase } from "@asset-register/service";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { createEventWriter, type EventWriter } from "../../event-writer.ts";
import { createReaderActivity, type ReaderActivity } from "../readers/reader-activity.ts";
import { type Authenticate, createAuthenticate } from "./authenticate.ts";
import { type CredentialCache, createCredentialCache } from "./credential-cache.ts";

/** The liveness and the counters of a reader are written at most this often. */
const STORE_ACTIVITY_EVERY_MS = 10_000;

/** The context of the operations of ingest, with the parts that keep a state in memory. */
export type IngestContext = Context & {
  authenticate: Authenticate;
  credentials: CredentialCache;
  writer: EventWriter;
  activity: ReaderActivity;
};

/** The context of ingest, and its parts in their order of start. */
export function createIngestContext(
  { kafka }: ServiceBase,
  context: Context,
  { SEND_TIMEOUT_MS: timeoutMs }: Config,
): { context: IngestContext; parts: Part[] } {
  const { stores, keyring, logger, metrics, now } = context;
  const producer = createProducer({ kafka, logger, metrics, topics: [topics.readerEvent], timeoutMs });
  const activity = createReaderActivity(context, { storeEveryMs: STORE_ACTIVITY_EVERY_MS });
  const credentials = createCredentialCache(stores.credentials, keyring, now);
  const authenticate = createAuthenticate(context, credentials, createFallbacks(logger, metrics));
  const writer = createEventWriter(producer, { timeoutMs });

  /** Each send tries again to reach a broker that is unavailable. */
  const connect = (): Promise<void> =>
    producer
      .connect()
      .catch((error: unknown) =>
        logger.warn({ err: error }, "the broker is unavailable; events are refused until it is back"),
      );
  return {
    context: { ...context, authenticate, credentials, writer, activity },
    parts: [
      { name: "producer", role: "api", start: connect, stop: () => producer.disconnect() },
      { name: "reader activity", role: "api", ...activity },
    ],
  };
}
