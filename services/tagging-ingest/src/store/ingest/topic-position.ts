import { fetchKnownOffsets, type KafkaConnection } from "@asset-register/events";
import type { Admin } from "kafkajs";

export type TopicPosition = {
  /**
   * The partitions in which a group has handled all records that were there when this was called. A partition without a
   * leader is not one of them: its end is unknown.
   */
  handled(): Promise<number[]>;
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

  return {
    async handled() {
      try {
        admin ??= connect();
        const through = await admin;
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
      } catch (error) {
        await this.close();
        throw error;
      }
    },
    async close() {
      const open = admin;
      admin = undefined;
      await (await open?.catch(() => undefined))?.disconnect().catch(() => undefined);
    },
  };
}
