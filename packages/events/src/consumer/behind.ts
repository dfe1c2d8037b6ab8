import type { Admin } from "kafkajs";
import type { KafkaConnection } from "../kafka/connect.ts";
import { fetchAllOffsets, type PartitionOffsets } from "../kafka/topic-offsets.ts";
import type { Topic } from "../topics/topic.ts";

export type GroupLag = {
  /**
   * Whether a group has not handled a record of these topics that is older than `ms`. It asks the broker, so it holds
   * for all processes of the group. True if the broker does not answer.
   */
  isBehind(topics: readonly Topic[], ms: number): Promise<boolean>;
  close(): Promise<void>;
};

/** Creates a question to the broker about the lag of a group. It connects at the first question. */
export function createGroupLag(kafka: KafkaConnection, group: string): GroupLag {
  const groupId = `${kafka.prefix}${group}`;
  let connected: Promise<Admin> | undefined;

  async function connect(): Promise<Admin> {
    const admin = kafka.kafka.admin();
    await admin.connect();
    return admin;
  }

  async function reset(): Promise<void> {
    const admin = await connected?.catch(() => undefined);
    connected = undefined;
    await admin?.disconnect().catch(() => undefined);
  }

  return {
    async isBehind(topics, ms) {
      try {
        connected ??= connect();
        const admin = await connected;
        const names = topics.map((topic) => kafka.topicName(topic));
        const before = Date.now() - ms;
        const committed = await admin.fetchOffsets({ groupId, topics: names });
        for (const { topic, partitions } of committed) {
          const [due, ends] = await Promise.all([
            admin.fetchTopicOffsetsByTimestamp(topic, before),
            fetchAllOffsets(admin, topic),
          ]);
          if (partitions.some((one) => isPartitionBehind(one, due, ends))) return true;
        }
        return false;
      } catch {
        await reset();
        return true;
      }
    },
    close: reset,
  };
}

type Offset = { partition: number; offset: string };

/** `due` is the first record that may still wait. A partition that was never committed has handled nothing. */
function isPartitionBehind(
  { partition, offset }: Offset,
  due: readonly Offset[],
  ends: readonly PartitionOffsets[],
): boolean {
  const end = ends.find((one) => one.partition === partition);
  const handled = BigInt(offset) < 0n ? BigInt(end?.low ?? "0") : BigInt(offset);
  const from = BigInt(due.find((one) => one.partition === partition)?.offset ?? "-1");
  // Without a record after that time, all of the partition is due.
  return handled < (from < 0n ? BigInt(end?.high ?? "0") : from);
}
