import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Admin } from "kafkajs";
import { fetchAllOffsets } from "../kafka/topic-offsets.ts";

const partitionName = (topic: string, partition: number) => `${topic}/${partition}`;

/** A group that has caught up once: its projections of these topics exist. */
type CaughtUp = { _id: string; topics: string[] };

export type CatchUp = {
  /** Stores the current end offsets of the topics. The group has caught up when all earlier records are handled. */
  begin(admin: Admin): Promise<void>;
  /** Whether a member of the group has handled all of these records, now or before a restart. */
  reached(admin: () => Promise<Admin>): Promise<boolean>;
};

/**
 * Detects the first time that a group has caught up. It compares the committed
 * offsets of the group with the end offsets, and stores the result in the
 * database. A process that starts later, while the broker is unavailable or a
 * partition is paused, then does not wait for a projection that already exists.
 */
export function createCatchUp(mongo: Mongo, groupId: string, topics: readonly string[]): CatchUp {
  const rows = systemCollection<CaughtUp>(mongo, "caught_up");
  let ends: Map<string, bigint> | undefined;
  let done = false;

  async function allHandled(admin: Admin, left: Map<string, bigint>): Promise<boolean> {
    const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
    for (const { topic, partitions } of committed)
      for (const { partition, offset } of partitions) {
        const end = left.get(partitionName(topic, partition));
        if (end !== undefined && BigInt(offset) >= end) left.delete(partitionName(topic, partition));
      }
    return left.size === 0;
  }

  async function readEnds(admin: Admin): Promise<Map<string, bigint>> {
    const found = new Map<string, bigint>();
    for (const topic of topics)
      for (const { partition, high, low } of await fetchAllOffsets(admin, topic))
        if (high !== low) found.set(partitionName(topic, partition), BigInt(high));
    return found;
  }

  async function isCaughtUp(admin: Admin): Promise<boolean> {
    ends ??= await readEnds(admin);
    return ends.size === 0 || allHandled(admin, ends);
  }

  return {
    async begin(admin) {
      // A consumer starts although the end of a partition is unknown now.
      ends = await readEnds(admin).catch(() => undefined);
    },
    async reached(admin) {
      if (done) return true;
      if ((await rows.countDocuments({ _id: groupId, topics: { $all: [...topics] } })) > 0) done = true;
      else if (await isCaughtUp(await admin())) {
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
