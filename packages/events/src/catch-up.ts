import type { Admin, Consumer } from "kafkajs";

type Ends = Map<string, bigint>;

const lane = (topic: string, partition: number) => `${topic}/${partition}`;

export type CatchUp = {
  /** Notes where the topics end now; what lies before must be handled to have caught up. */
  begin(admin: Admin): Promise<void>;
  /** Follows a consumer's progress. */
  follow(consumer: Consumer): void;
  reached(admin: () => Promise<Admin>): Promise<boolean>;
};

/**
 * Whether a group has handled all that its topics held at the start: by the own
 * position, or by what another member has committed.
 */
export function createCatchUp(groupId: string, topics: readonly string[]): CatchUp {
  let ends: Ends | undefined;

  const pass = (topic: string, partition: number, next: bigint) => {
    const end = ends?.get(lane(topic, partition));
    if (end !== undefined && next >= end) ends?.delete(lane(topic, partition));
  };

  return {
    async begin(admin) {
      const found: Ends = new Map();
      for (const topic of topics)
        for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
          if (high !== low) found.set(lane(topic, partition), BigInt(high));
      ends = found;
    },
    follow(consumer) {
      // Told for batches of nothing but transaction marks too, which no handler sees.
      consumer.on("consumer.end_batch_process", ({ payload }) =>
        pass(payload.topic, payload.partition, BigInt(payload.lastOffset) + 1n),
      );
    },
    async reached(admin) {
      if (ends === undefined) return false;
      if (ends.size === 0) return true;
      const committed = await (await admin()).fetchOffsets({ groupId, topics: [...topics] });
      for (const { topic, partitions } of committed)
        for (const { partition, offset } of partitions) pass(topic, partition, BigInt(offset));
      return ends.size === 0;
    },
  };
}
