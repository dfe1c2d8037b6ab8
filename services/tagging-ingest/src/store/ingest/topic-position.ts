import { fetchKnownOffsets, type KafkaConnection } from "@asset-register/events";
import type { Admin } from "kafkajs";

export type TopicPosition = {
  /**
   * The partitions in which a group has handled all records that were there when this was called. A partition without a
   * leader is not one of them: its end is unknown.
   */
  handled(): Promise<number[]>;
  /** How many partitions the topic has. */
  partitions(): Promise<number>;
  close(): Promise<void>;
};

/**
 * Compares the committed offsets of a group with the ends of the topic. A committed record was handled, by some member
 * of the group. So no record that was received before waits in these partitions.
 */
export function createTopicPosition(
  kafka: KafkaConnection,
  topic: { name: string },
  group: string,
): TopicPosition {
  const name = kafka.topicName(topic);
  let admin: Promise<Admin> | undefined;

  async function connect(): Promise<Admin> {
    const made = kafka.kafka.admin();
    await made.connect();
    return made;
  }

  /** Asks the broker. After a failure the next call connects again. */
  async function ask<T>(question: (through: Admin) => Promise<T>): Promise<T> {
    try {
      admin ??= connect();
      return await question(await admin);
    } catch (error) {
      await close();
      throw error;
    }
  }

  async function close(): Promise<void> {
    const open = admin;
    admin = undefined;
    await (await open?.catch(() => undefined))?.disconnect().catch(() => undefined);
  }

  /** It never changes (see the partition lookup of packages/events). */
  let count: number | undefined;

  return {
    handled: () =>
      ask(async (through) => {
        // The ends first: offsets that are committed later can only be higher.
        const ends = await fetchKnownOffsets(through, name);
        const committed = await through.fetchOffsets({ groupId: `${kafka.prefix}${group}`, topics: [name] });
        const at = new Map(
          committed.flatMap(({ partitions }) =>
            partitions.map(({ partition, offset }) => [partition, BigInt(offset)]),
          ),
        );
        return ends
          .filter(({ partition, high, low }) => high === low || (at.get(partition) ?? -1n) >= BigInt(high))
          .map(({ partition }) => partition);
      }),

    async partitions() {
      // Offsets, because the metadata of a topic can't be fetched while one of its partitions has no leader.
      count ??= await ask(async (through) => (await through.fetchTopicOffsets(name)).length);
      return count;
    },

    close,
  };
}
