import { randomUUID } from "node:crypto";
import { backoff, sleep } from "@asset-register/runtime";
import type { Admin, KafkaMessage } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { fetchAllOffsets } from "../kafka/topic-offsets.ts";

export type ReadOptions = {
  kafka: KafkaConnection;
  topic: { name: string };
  /** Otherwise it starts at the end. */
  fromBeginning: boolean;
  /** Starts at these offsets of partitions, or at the oldest one that the topic keeps. */
  from?: ReadonlyMap<number, bigint>;
  /** Stops at the offsets that were the end when it began. Otherwise it follows until the signal. */
  toEnd: boolean;
  signal?: AbortSignal;
  onRecord(record: KafkaMessage, partition: number): void | Promise<void>;
};

/** After this many crashes of the client without a record between them, the failure is permanent. */
const MAX_CRASHES = 8;
const OFFSET_TRIES = 6;

/**
 * Reads a topic for a tool, in a consumer group of its own, which is removed afterwards. It commits no offsets.
 * If a broker or coordinator is unavailable for a while, it waits and continues after the last record: each record
 * is passed on once.
 *
 * @throws the error of `onRecord`, or the error of the client if the failure is permanent
 */
export async function readTopic({
  kafka,
  topic,
  fromBeginning,
  from,
  toEnd,
  signal,
  onRecord,
}: ReadOptions): Promise<void> {
  const name = kafka.topicName(topic);
  const groupId = `${kafka.prefix}tool-${randomUUID()}`;
  const admin = kafka.kafka.admin();
  const consumer = kafka.kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
  const done = Promise.withResolvers<void>();
  const finish = () => done.resolve();
  const startOf = ({ low, high }: { low: bigint; high: bigint }, partition: number): bigint => {
    const offset = from?.get(partition);
    if (offset !== undefined) return offset > low ? offset : low;
    return fromBeginning ? low : high;
  };
  signal?.addEventListener("abort", finish);
  await admin.connect();
  try {
    /** The next offset of each partition, and the end offset of the partitions that are not read to their end. */
    const positions = new Map<number, bigint>();
    const ends = new Map<number, bigint>();
    for (const { partition, high, low } of await offsetsOf(admin, name)) {
      const start = startOf({ low: BigInt(low), high: BigInt(high) }, partition);
      positions.set(partition, start);
      if (start < BigInt(high)) ends.set(partition, BigInt(high));
    }
    if (toEnd && ends.size === 0) return;

    let crashes = 0;
    const pass = (partition: number, next: bigint) => {
      crashes = 0;
      positions.set(partition, next);
      const end = ends.get(partition);
      if (end !== undefined && next >= end) ends.delete(partition);
      if (toEnd && ends.size === 0) finish();
    };
    // This event also covers transaction markers, which are the last offsets of most topics.
    consumer.on("consumer.end_batch_process", ({ payload }) =>
      pass(payload.partition, BigInt(payload.lastOffset) + 1n),
    );
    // No offsets are committed: after each join the group would start over, or miss the records since then.
    consumer.on("consumer.group_join", () => {
      for (const [partition, offset] of positions)
        consumer.seek({ topic: name, partition, offset: String(offset) });
    });
    consumer.on("consumer.crash", ({ payload }) => {
      crashes += 1;
      if (!payload.restart || crashes > MAX_CRASHES) done.reject(payload.error);
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [name], fromBeginning });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message, partition }) => {
        const offset = BigInt(message.offset);
        if (offset < (positions.get(partition) ?? 0n)) return;
        try {
          await onRecord(message, partition);
        } catch (error) {
          done.reject(error);
          throw error;
        }
        positions.set(partition, offset + 1n);
      },
    });
    if (signal?.aborted) finish();
    await done.promise;
  } finally {
    signal?.removeEventListener("abort", finish);
    // The caller has the error already. A later error of the disconnecting client must not be unhandled.
    done.promise.catch(() => {});
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => {});
    await admin.disconnect();
  }
}

/** kafkajs fails immediately while some brokers do not know the leader of a new topic yet. */
async function offsetsOf(admin: Admin, name: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fetchAllOffsets(admin, name);
    } catch (error) {
      if (tries === OFFSET_TRIES) throw error;
      await sleep(backoff(tries, { baseMs: 100, maxMs: 2_000 }));
    }
  }
}
