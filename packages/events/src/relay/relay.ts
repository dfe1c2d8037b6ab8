import type { Mongo } from "@asset-register/mongo";
import { isProduction, type Logger, type Metrics } from "@asset-register/runtime";
import type { KafkaConnection } from "../kafka/connect.ts";
import { createOutbox, outboxRows } from "../outbox/outbox.ts";
import { sweepTombstones } from "../outbox/tombstones.ts";
import { watchOutbox } from "../outbox/wake.ts";
import { requireTopics, UnfitTopicError } from "../topics/boot-check.ts";
import type { Topic } from "../topics/topic.ts";
import { createRelayMetrics } from "./metrics.ts";
import { type RelayStages, runShard } from "./shard.ts";

export type RelayOptions = {
  mongo: Mongo;
  kafka: KafkaConnection;
  /** Part of the transactional ids and of `ce_source`. */
  service: string;
  /** The same number as in createOutbox. */
  shards?: number;
  logger: Logger;
  metrics: Metrics;
  /** Topics that the service publishes to. `start` checks them, since one missing topic would block all events. */
  topics: readonly Topic[];
  /** Refuses topics that could lose acknowledged events. Default: true if NODE_ENV is "production" or unset. */
  production?: boolean;
  /** Duration of the lease: after a crash, another relay takes over after this time. Default: 10 s. */
  leaseMs?: number;
  /** Poll interval: the maximum wait of a row if the change stream does not report it. Default: 1 s. */
  sweepMs?: number;
  /** How often tombstones that are due are looked for. Default: 10 minutes. */
  tombstonesEveryMs?: number;
  batch?: { rows: number; bytes: number };
  stages?: RelayStages;
};

export type Relay = { start(): Promise<void>; stop(): Promise<void> };

/**
 * Creates a relay, which sends the rows of the outbox. Any number of relays may
 * run: the one that holds the lease of a shard sends its rows. Broker and
 * database may be unavailable for any time.
 */
export function createRelay(options: RelayOptions): Relay {
  const { mongo, shards = 1, logger } = options;
  const metrics = createRelayMetrics(options.metrics, mongo, logger);
  const stop = new AbortController();
  let work: Promise<unknown> = Promise.resolve();
  return {
    async start() {
      await requireShards(mongo, shards).catch((error: unknown) => {
        if (error instanceof ShardsError) throw error;
        logger.warn({ err: error }, "outbox not checked");
      });
      await checkPublishedTopics(options);
      const wake = watchOutbox(mongo, logger, stop.signal);
      const shared = { leaseMs: 10_000, sweepMs: 1_000, batch: { rows: 500, bytes: 4_194_304 }, stages: {} };
      const loops = Array.from({ length: shards }, (_, shard) =>
        runShard({ ...shared, ...options, shard, metrics, wake }, stop.signal),
      );
      const outbox = createOutbox(mongo, { shards });
      const tombstones = sweepTombstones(
        {
          ...{ mongo, topics: options.topics, logger, everyMs: options.tombstonesEveryMs ?? 600_000 },
          add: (session, events) => outbox.add(session, ...events),
        },
        stop.signal,
      );
      work = Promise.all([...loops, wake.done, tombstones]);
    },
    async stop() {
      stop.abort(new Error("the relay is stopping"));
      await work;
    },
  };
}

/**
 * Checks the topics. An unavailable broker does not prevent the start.
 *
 * @throws UnfitTopicError
 */
async function checkPublishedTopics({ topics, kafka, production, logger }: RelayOptions): Promise<void> {
  const admin = kafka.kafka.admin();
  try {
    await admin.connect();
    await requireTopics(admin, topics, {
      prefix: kafka.prefix,
      production: production ?? isProduction(),
      logger,
    });
  } catch (error) {
    if (error instanceof UnfitTopicError) throw error;
    logger.warn({ err: error }, "topics not checked");
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

class ShardsError extends Error {
  override readonly name = "ShardsError";
}

/** Refuses rows of a shard that no relay sends: they would wait without end. */
async function requireShards(mongo: Mongo, shards: number): Promise<void> {
  const beyond = await outboxRows(mongo).findOne({ shard: { $gte: shards } });
  if (beyond !== null)
    throw new ShardsError(
      `The outbox contains rows of shard ${beyond.shard}. Wait until it is empty before you set shards to ${shards}.`,
    );
}
