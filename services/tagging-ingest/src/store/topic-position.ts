import type { KafkaConnection } from "@asset-register/events";
import type { Admin } from "kafkajs";

/** The partitions of which a group has handled everything that they held when this was asked. */
export type TopicPosition = {
  handled(): Promise<number[]>;
  close(): Promise<void>;
};

/**
 * Compares what a group has committed with where the topic ends. What is
 * committed was handled, by whichever member; so that at the time of asking
 * nothing that was received before waits in those partitions.
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
        // The ends first: what is committed after them can only be further.
        const ends = await through.fetchTopicOffsets(name);
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
