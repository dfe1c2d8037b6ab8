import type { Mongo } from "@asset-register/mongo";
import { isProduction, type Logger, type Metrics } from "@asset-register/runtime";
import type { KafkaConnection } from "../kafka/connect.ts";
import { outboxRows } from "../outbox/outbox.ts";
import { watchOutbox } from "../outbox/wake.ts";
import { requireTopics, UnfitTopicError } from "../topics/boot-check.ts";
import type { Topic } from "../topics/topic.ts";
import { relayMetrics } from "./metrics.ts";
import { type RelayStages, runShard } from "./shard.ts";

export type RelayOptions = {
  mongo: Mongo;
  kafka: KafkaConnection;
  /** Names the transactional ids and `ce_source`. */
  service: string;
  /** As given to createOutbox. */
  shards?: number;
  logger: Logger;
  metrics: Metrics;
  /** What the service publishes: looked at before the start, since one topic that is missing holds up all. */
  topics: readonly Topic[];
  /** Refuse topics that could lose what they acknowledged. By default: unless NODE_ENV says otherwise. */
  production?: boolean;
  /** How long a relay that stopped without a word keeps others out. */
  leaseMs?: number;
  /** The longest a row waits when the change stream fails to tell of it. */
  sweepMs?: number;
  batch?: { rows: number; bytes: number };
  stages?: RelayStages;
};

export type Relay = { start(): Promise<void>; stop(): Promise<void> };

/**
 * Sends what the outbox holds. Any number may run: each shard is worked by the
 * one that holds its lease. Broker and database may be away for any time.
 */
export function createRelay(options: RelayOptions): Relay {
  const { mongo, shards = 1, logger } = options;
  const figures = relayMetrics(options.metrics, mongo, logger);
  const stop = new AbortController();
  let work: Promise<unknown> = Promise.resolve();
  return {
    async start() {
      await requireShards(mongo, shards).catch((error: unknown) => {
        if (error instanceof ShardsError) throw error;
        logger.warn({ err: error }, "outbox not checked");
      });
      await lookAt(options);
      const wake = watchOutbox(mongo, logger, stop.signal);
      const shared = { leaseMs: 10_000, sweepMs: 1_000, batch: { rows: 500, bytes: 4_194_304 }, stages: {} };
      const loops = Array.from({ length: shards }, (_, shard) =>
        runShard({ ...shared, ...options, shard, figures, wake }, stop.signal),
      );
      work = Promise.all([...loops, wake.done]);
    },
    async stop() {
      stop.abort(new Error("the relay is stopping"));
      await work;
    },
  };
}

/** Throws UnfitTopicError; a broker that is away is no reason not to start. */
async function lookAt({ topics, kafka, production, logger }: RelayOptions): Promise<void> {
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
    logger.warn({ err: error }, "topics not looked at");
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

class ShardsError extends Error {
  override readonly name = "ShardsError";
}

/** Rows of a shard that no relay works would wait for ever. */
async function requireShards(mongo: Mongo, shards: number): Promise<void> {
  const beyond = await outboxRows(mongo).findOne({ shard: { $gte: shards } });
  if (beyond !== null)
    throw new ShardsError(
      `The outbox holds rows of shard ${beyond.shard}; let it run empty before using ${shards}.`,
    );
}
