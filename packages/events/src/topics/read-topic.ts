import { randomUUID } from "node:crypto";
import { backoff, sleep } from "@asset-register/runtime";
import type { Admin, KafkaMessage } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";

export type ReadOptions = {
  kafka: KafkaConnection;
  topic: { name: string };
  /** Starts at the end otherwise. */
  fromBeginning: boolean;
  /** Ends at what was the end when it began; otherwise it follows until the signal. */
  toEnd: boolean;
  signal?: AbortSignal;
  onRecord(record: KafkaMessage, partition: number): void | Promise<void>;
};

/** Crashes of the client in a row, without a record between them, after which it is no passing trouble. */
const MAX_CRASHES = 8;
const OFFSET_TRIES = 6;

/**
 * Reads a topic for a tool: alone in a group of its own, which is removed afterwards; nothing is committed.
 * A broker or coordinator that is away for a while is waited for: it goes on after the last record, so that
 * each is given once. @throws what `onRecord` throws, or the client's error when it does not come back.
 */
export async function readTopic({
  kafka,
  topic,
  fromBeginning,
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
  signal?.addEventListener("abort", finish);
  await admin.connect();
  try {
    /** The next offset of each partition, and where those end that are not read to their end. */
    const positions = new Map<number, bigint>();
    const ends = new Map<number, bigint>();
    for (const { partition, high, low } of await offsetsOf(admin, name)) {
      positions.set(partition, BigInt(fromBeginning ? low : high));
      if (fromBeginning && high !== low) ends.set(partition, BigInt(high));
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
    // Told for transaction marks too, which are the last offsets of most topics.
    consumer.on("consumer.end_batch_process", ({ payload }) =>
      pass(payload.partition, BigInt(payload.lastOffset) + 1n),
    );
    // Nothing is committed: whenever the group begins anew it would begin at the start, or miss what came meanwhile.
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
    // Whoever waits has the error already; a late one of the disconnecting client is nobody's.
    done.promise.catch(() => {});
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => {});
    await admin.disconnect();
  }
}

/** kafkajs gives up at once while the leader of a new topic is not known to all brokers yet. */
async function offsetsOf(admin: Admin, name: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await admin.fetchTopicOffsets(name);
    } catch (error) {
      if (tries === OFFSET_TRIES) throw error;
      await sleep(backoff(tries, { baseMs: 100, maxMs: 2_000 }));
    }
  }
}
