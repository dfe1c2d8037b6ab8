import { randomUUID } from "node:crypto";
import type { KafkaMessage } from "kafkajs";
import type { KafkaConnection } from "./kafka.ts";

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

/** Reads a topic for a tool: alone in a group of its own, which is removed afterwards; nothing is committed. */
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
    const ends = new Map<number, bigint>();
    for (const { partition, high, low } of await admin.fetchTopicOffsets(name))
      if (high !== low) ends.set(partition, BigInt(high));
    if (toEnd && ends.size === 0) return;
    // Told for transaction marks too, which are the last offsets of most topics.
    consumer.on("consumer.end_batch_process", ({ payload }) => {
      const end = ends.get(payload.partition);
      if (end !== undefined && BigInt(payload.lastOffset) + 1n >= end) ends.delete(payload.partition);
      if (toEnd && ends.size === 0) finish();
    });
    consumer.on("consumer.crash", ({ payload }) => done.reject(payload.error));
    await consumer.connect();
    await consumer.subscribe({ topics: [name], fromBeginning });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message, partition }) => onRecord(message, partition),
    });
    if (signal?.aborted) finish();
    await done.promise;
  } finally {
    signal?.removeEventListener("abort", finish);
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => {});
    await admin.disconnect();
  }
}
