import type { Mongo } from "@asset-register/mongo";
import type { Queue } from "./batch.ts";
import { outboxRows } from "./outbox.ts";

/** The rows that wait because a topic or partition cannot be written. */
export type HeldRows = {
  topic: string;
  /** Undefined for the whole topic. */
  partition: number | undefined;
  keys: number;
  rows: number;
  error: string;
  since: Date;
};

/** The name of a topic, or of one of its partitions, in `held.target`. */
export const targetName = (topic: string, partition?: number): string =>
  partition === undefined ? topic : `${topic}/${partition}`;

/** `shard` is needed for the index. */
const HELD = { shard: { $gte: 0 }, "held.target": { $gt: "" } };

/** Lists the held rows of all shards, for the operators' tool. The relay retries them automatically. */
export async function listHeldRows(mongo: Mongo): Promise<HeldRows[]> {
  const found = await outboxRows(mongo)
    .aggregate<{ _id: string; keys: number; rows: number; first: { error: string; at: Date } }>([
      { $match: HELD },
      {
        $group: {
          _id: { target: "$held.target", orderingKey: "$orderingKey" },
          rows: { $sum: 1 },
          first: { $top: { sortBy: { "held.at": 1 }, output: "$held" } },
        },
      },
      {
        $group: {
          _id: "$_id.target",
          keys: { $sum: 1 },
          rows: { $sum: "$rows" },
          first: { $top: { sortBy: { "first.at": 1 }, output: "$first" } },
        },
      },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  return found.map(({ _id, keys, rows, first }) => {
    const [topic = _id, partition] = _id.split("/");
    return {
      ...{ topic, partition: partition === undefined ? undefined : Number(partition) },
      ...{ keys, rows, error: first.error, since: first.at },
    };
  });
}

/** Moves the rows of these keys from the queue of their shard to that of the target. */
export async function holdKeys(
  mongo: Mongo,
  { shard, target }: Required<Queue>,
  orderingKeys: readonly string[],
  error: string,
): Promise<void> {
  await outboxRows(mongo).updateMany(
    { orderingKey: { $in: [...orderingKeys] }, shard, held: { $exists: false }, parked: { $exists: false } },
    [
      {
        $set: {
          held: { target: { $literal: target }, error: { $literal: error.slice(0, 500) }, at: "$$NOW" },
        },
      },
    ],
  );
}

/** The targets for which rows of a shard are held. */
export async function heldTargets(mongo: Mongo, shard: number): Promise<string[]> {
  const targets = await outboxRows(mongo).distinct("held.target", { ...HELD, shard });
  return targets.filter((target) => typeof target === "string");
}

/** Whether rows are held for the target, also if they wait for others. */
export async function hasHeldRows(mongo: Mongo, { shard, target }: Required<Queue>): Promise<boolean> {
  return (await outboxRows(mongo).findOne({ shard, "held.target": target })) !== null;
}

/** Number of held rows by topic. */
export async function countHeldRows(mongo: Mongo): Promise<Map<string, number>> {
  const targets = await outboxRows(mongo)
    .aggregate<{ _id: string; rows: number }>([
      { $match: HELD },
      { $group: { _id: "$held.target", rows: { $sum: 1 } } },
    ])
    .toArray();
  const byTopic = new Map<string, number>();
  for (const { _id, rows } of targets) {
    const [topic = _id] = _id.split("/");
    byTopic.set(topic, (byTopic.get(topic) ?? 0) + rows);
  }
  return byTopic;
}
