import type {
  BatchResult,
  IngestResult,
  IngestService,
  SignedBatchSchema,
  SignedEventSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { type Bulkhead, type Client, fromErrorDetail } from "@asset-register/rpc";
import { AppError } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createBatcher } from "./ingest-batcher.ts";

type SignedEvent = MessageInitShape<typeof SignedEventSchema>;
type SignedBatch = MessageInitShape<typeof SignedBatchSchema>;

export type Ingest = {
  /** @throws AppError when the event is rejected or can't be taken now */
  event(event: SignedEvent): Promise<IngestResult>;
  /** One result an event, in order; only what can't be taken now throws. */
  events(events: SignedEvent[]): Promise<IngestResult[]>;
  /** @throws AppError when the whole request is rejected or can't be taken now */
  batch(batch: SignedBatch): Promise<IngestResult[]>;
};

/** 500 events are about 100 KiB. */
const EVENTS_PER_CALL = 500;
const BATCHES_PER_CALL = 16;
/**
 * A message has at most 16 MiB (packages/rpc), and so has the answer, which says
 * what is wrong with each of up to 1000 events a body.
 */
const BODY_BYTES_PER_CALL = 3 * 1_048_576;
const CALLS_IN_FLIGHT = 2;
/** A call costs both sides as much as about fifty events do. */
const EVENTS_WORTH_A_CALL = 128;
const BATCHES_WORTH_A_CALL = 8;

/**
 * Requests that wait at the same moment share one call to the ingest service. As
 * few calls bound few requests, the bulkhead bounds those.
 */
export function createIngest(client: Client<typeof IngestService>, bulkhead: Bulkhead): Ingest {
  const events = createBatcher<SignedEvent, IngestResult>({
    maxItems: EVENTS_PER_CALL,
    maxInFlight: CALLS_IN_FLIGHT,
    worthwhile: EVENTS_WORTH_A_CALL,
    hangs: isDeadline,
    send: async (items) => (await client.ingestSignedEvents({ events: items })).results,
  });
  const batches = createBatcher<SignedBatch, BatchResult>({
    maxItems: BATCHES_PER_CALL,
    maxWeight: BODY_BYTES_PER_CALL,
    weigh: ({ body }) => body?.length ?? 0,
    maxInFlight: CALLS_IN_FLIGHT,
    worthwhile: BATCHES_WORTH_A_CALL,
    hangs: isDeadline,
    send: async (items) => (await client.ingestSignedBatches({ batches: items })).batches,
  });
  return {
    async event(event) {
      const result = await bulkhead.run(() => events.add(event));
      if (result.error !== undefined) throw fromErrorDetail(result.error);
      return result;
    },
    async events(items) {
      const { results } = await client.ingestSignedEvents({ events: items, oneRequest: true });
      // For the whole request: a client sends again what was answered 503, and the repeat of the rest is safe.
      const away = results.find(({ error }) => error?.kind === "unavailable")?.error;
      if (away !== undefined) throw fromErrorDetail(away);
      return results;
    },
    async batch(batch) {
      const { error, results } = await bulkhead.run(() => batches.add(batch));
      if (error !== undefined) throw fromErrorDetail(error);
      return results;
    },
  };
}

const isDeadline = (error: unknown): boolean =>
  error instanceof AppError && error.code === "DEADLINE_EXCEEDED";
