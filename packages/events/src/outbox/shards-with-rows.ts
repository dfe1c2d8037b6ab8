import type { Mongo } from "@asset-register/mongo";
import { outboxRows } from "./outbox.ts";
import type { FindShards, Looked } from "./wake.ts";

const options = { projection: { shard: 1 }, maxTimeMS: 5_000 } as const;

const rowsOf = ({ shard, from }: Looked) => ({
  shard,
  "held.target": null,
  ...(from && { createdAt: { $gte: from } }),
});

/**
 * Finds the shards with rows that are not held. It reads one entry of the index "waiting" for each, in one query: a
 * process that is idle makes such a look every 2 s, and nearly always there is nothing.
 */
export const findShardsWithRows =
  (mongo: Mongo): FindShards =>
  async (shards) => {
    if (shards.length === 0) return [];
    const rows = outboxRows(mongo);
    if ((await rows.findOne({ $or: shards.map(rowsOf) }, options)) === null) return [];
    const found = await Promise.all(shards.map((shard) => rows.findOne(rowsOf(shard), options)));
    return found.flatMap((row) => row?.shard ?? []);
  };
