import type { Mongo } from "@asset-register/mongo";
import { outboxRows } from "./outbox.ts";
import type { FindShards } from "./wake.ts";

/** Finds the shards with rows that are not held. It reads one entry of the index "waiting" for each. */
export const findShardsWithRows =
  (mongo: Mongo): FindShards =>
  async (shards) => {
    const found = await Promise.all(
      [...shards].map(([shard, { from }]) =>
        outboxRows(mongo).findOne(
          { shard, "held.target": null, ...(from && { createdAt: { $gte: from } }) },
          { projection: { shard: 1 }, maxTimeMS: 5_000 },
        ),
      ),
    );
    return found.flatMap((row) => row?.shard ?? []);
  };
