import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Admin } from "kafkajs";

const lane = (topic: string, partition: number) => `${topic}/${partition}`;

/** A group that has caught up once: what it projects of these topics is not new any more. */
type CaughtUp = { _id: string; topics: string[] };

export type CatchUp = {
  /** Notes where the topics end now; what lies before must be handled to have caught up. */
  begin(admin: Admin): Promise<void>;
  /** Whether this member or another one of the group has handled all of that, now or in an earlier life. */
  reached(admin: () => Promise<Admin>): Promise<boolean>;
};

/**
 * A group's first catch-up. It is told by the offsets that the group has
 * committed and kept in the database, so that a process that starts while the
 * broker is away, or while a partition waits, is not held up for a projection
 * that is there.
 */
export function createCatchUp(mongo: Mongo, groupId: string, topics: readonly string[]): CatchUp {
  const rows = systemCollection<CaughtUp>(mongo, "caught_up");
  let ends: Map<string, bigint> | undefined;
  let done = false;

  async function allHandled(admin: Admin, left: Map<string, bigint>): Promise<boolean> {
    const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
    for (const { topic, partitions } of committed)
      for (const { partition, offset } of partitions) {
        const end = left.get(lane(topic, partition));
        if (end !== undefined && BigInt(offset) >= end) left.delete(lane(topic, partition));
      }
    return left.size === 0;
  }

  return {
    async begin(admin) {
      const found = new Map<string, bigint>();
      for (const topic of topics)
        for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
          if (high !== low) found.set(lane(topic, partition), BigInt(high));
      ends = found;
    },
    async reached(admin) {
      if (done) return true;
      if ((await rows.countDocuments({ _id: groupId, topics: { $all: [...topics] } })) > 0) done = true;
      else if (ends !== undefined && (ends.size === 0 || (await allHandled(await admin(), ends)))) {
        await rows.updateOne(
          { _id: groupId },
          { $addToSet: { topics: { $each: [...topics] } } },
          { upsert: true },
        );
        done = true;
      }
      return done;
    },
  };
}
