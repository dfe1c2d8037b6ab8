import type { Mongo } from "@asset-register/mongo";
import { type Logger, type Metrics, sleep } from "@asset-register/runtime";
import type { KafkaConnection } from "../kafka/connect.ts";
import { createPartitionLookup } from "../kafka/partitions.ts";
import { createOutbox, DEFAULT_SHARDS, outboxRows } from "../outbox/outbox.ts";
import { findShardsWithRows } from "../outbox/shards-with-rows.ts";
import { sweepTombstones } from "../outbox/tombstones.ts";
import { createOutboxWake, type OutboxWake } from "../outbox/wake.ts";
import { requireTopics, UnfitTopicError } from "../topics/boot-check.ts";
import type { Topic } from "../topics/topic.ts";
import { createRelayMetrics } from "./metrics.ts";
import type { RelayStages } from "./queue.ts";
import { runShard } from "./shard.ts";

export type RelayOptions = {
  mongo: Mongo;
  kafka: KafkaConnection;
  /** Part of the transactional ids and of `ce_source`. */
  service: string;
  /** Number of shards that the service writes. Shards beyond it, of other processes, are sent too. */
  shards?: number;
  /** That of the outbox of this process. Default: rows are found when the relay looks for them. */
  wake?: OutboxWake;
  logger: Logger;
  metrics: Metrics;
  /** Topics that the service publishes to. `start` checks them. */
  topics: readonly Topic[];
  /** Refuses topics that could lose acknowledged events. Default: as the connection requires. */
  production?: boolean;
  /** Duration of the lease: after a crash, another relay takes over after this time. Default: 10 s. */
  leaseMs?: number;
  /** The longest wait of a row that nothing reports and whose transaction took more than 2 s. Default: 5 s. */
  sweepMs?: number;
  /** How often tombstones that are due are looked for. Default: 10 minutes. */
  tombstonesEveryMs?: number;
  batch?: { rows: number; bytes: number };
  stages?: RelayStages;
};

/** How often the relay looks for shards beyond its setting. They exist only after the setting was changed. */
const SHARDS_EVERY_MS = 5_000;

export type Relay = { start(): Promise<void>; stop(): Promise<void> };

/**
 * Creates a relay, which sends the rows of the outbox. Any number of relays may
 * run: the one that holds the lease of a shard sends its rows. Broker and
 * database may be unavailable for any time.
 */
export function createRelay(options: RelayOptions): Relay {
  const { mongo, shards = DEFAULT_SHARDS, wake = createOutboxWake(), logger, sweepMs = 5_000 } = options;
  const metrics = createRelayMetrics(options.metrics, mongo, logger);
  const stop = new AbortController();
  let work: Promise<unknown> = Promise.resolve();

  /** Runs the shards of the setting, and those of rows of processes with a higher setting. */
  async function runShards(): Promise<void> {
    const shared = { leaseMs: 10_000, sweepMs, batch: { rows: 500, bytes: 4_194_304 }, stages: {} };
    const partitions = createPartitionLookup(options.kafka);
    const running: Promise<void>[] = [];
    for (
      let count = shards;
      !stop.signal.aborted;
      count = Math.max(count, await countShards(mongo, logger))
    ) {
      while (running.length < count) {
        const shard = running.length;
        running.push(runShard({ ...shared, ...options, shard, metrics, wake, partitions }, stop.signal));
      }
      await sleep(SHARDS_EVERY_MS, stop.signal).catch(() => {});
    }
    await Promise.all(running);
  }

  return {
    async start() {
      await checkPublishedTopics(options);
      const outbox = createOutbox(mongo, { shards, wake });
      const tombstones = sweepTombstones(
        {
          ...{ mongo, topics: options.topics, logger, everyMs: options.tombstonesEveryMs ?? 600_000 },
          add: (session, events) => outbox.add(session, ...events),
        },
        stop.signal,
      );
      work = Promise.all([
        runShards(),
        wake.look(findShardsWithRows(mongo), { sweepMs, logger }, stop.signal),
        tombstones,
      ]);
    },
    async stop() {
      stop.abort(new Error("the relay is stopping"));
      await work;
    },
  };
}

/** The number of shards that the rows of the outbox need. It is 0 while the database is unavailable. */
async function countShards(mongo: Mongo, logger: Logger): Promise<number> {
  try {
    const last = await outboxRows(mongo).findOne({}, { sort: { shard: -1 }, projection: { shard: 1 } });
    return (last?.shard ?? -1) + 1;
  } catch (error) {
    logger.debug({ err: error }, "shards of the outbox not read");
    return 0;
  }
}

/**
 * Checks the topics. Neither a missing topic nor an unavailable broker prevents the start, since both only delay events.
 *
 * @throws UnfitTopicError in production for topics that could lose acknowledged events
 */
async function checkPublishedTopics({ topics, kafka, production, logger }: RelayOptions): Promise<void> {
  const admin = kafka.kafka.admin();
  try {
    await admin.connect();
    await requireTopics(admin, topics, {
      prefix: kafka.prefix,
      production: production ?? kafka.requiresReplicas,
      logger,
      mayBeMissing: true,
    });
  } catch (error) {
    if (error instanceof UnfitTopicError) throw error;
    logger.warn({ err: error }, "topics not checked");
  } finally {
    await admin.disconnect().catch(() => {});
  }
}
