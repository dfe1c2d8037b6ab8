import type { Mongo } from "@asset-register/mongo";
import type { Queue } from "./batch.ts";
import { countHeldRows, heldTargets } from "./held-rows.ts";
import { outboxRows } from "./outbox.ts";

export type OutboxBacklog = {
  /** Age of the oldest row, by the clock of the database. */
  oldestSeconds: number;
  parked: number;
  /** Number of held rows by topic. */
  held: Map<string, number>;
};

/** Measures the outbox for the metrics, by its indexes: a scrape must not read all rows. */
export async function outboxBacklog(mongo: Mongo): Promise<OutboxBacklog> {
  const rows = outboxRows(mongo);
  const shards = (await rows.distinct("shard")).map(Number);
  const held = await countHeldRows(mongo);
  const queues = shards.map(async (shard): Promise<Queue[]> => {
    const targets = held.size === 0 ? [] : await heldTargets(mongo, shard);
    return [{ shard }, ...targets.map((target) => ({ shard, target }))];
  });
  const ages = (await Promise.all(queues)).flat().map((queue) => oldestAge(mongo, queue));
  return {
    oldestSeconds: Math.max(0, ...(await Promise.all(ages))),
    // Without `shard` the partial index is not used.
    parked: await rows.countDocuments({ shard: { $gte: 0 }, parked: { $exists: true } }),
    held,
  };
}

async function oldestAge(mongo: Mongo, { shard, target }: Queue): Promise<number> {
  const seconds = { $divide: [{ $toLong: "$$NOW" }, 1000] };
  const [oldest] = await outboxRows(mongo)
    .aggregate<{ age: number }>([
      { $match: { shard, "held.target": target ?? null } },
      { $sort: { createdAt: 1 } },
      { $limit: 1 },
      { $project: { age: { $subtract: [seconds, { $tsSecond: "$createdAt" }] } } },
    ])
    .toArray();
  return Number(oldest?.age ?? 0);
}
