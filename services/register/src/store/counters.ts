import { type Mongo, surviveUpsertRace } from "@asset-register/mongo";

type CounterDocument = { _id: string; workspaceId: string; value: number };

/**
 * The workspace's asset numbers. Raised outside of transactions, where it would
 * make all creations of a workspace wait for each other: gaps are allowed.
 */
export function counterStore(mongo: Mongo) {
  const counters = mongo.collection<CounterDocument>("counters");
  const key = (workspaceId: string) => ({ _id: `${workspaceId}:asset-number`, workspaceId });
  return {
    async next(workspaceId: string): Promise<number> {
      const row = await surviveUpsertRace(() =>
        counters.findOneAndUpdate(
          key(workspaceId),
          { $inc: { value: 1 } },
          { upsert: true, returnDocument: "after" },
        ),
      );
      if (!row) throw new Error("an upsert answered no document");
      return row.value;
    },

    /** Makes the counter go on after `value`. */
    async skipTo(workspaceId: string, value: number): Promise<void> {
      await surviveUpsertRace(() =>
        counters.updateOne(key(workspaceId), { $max: { value } }, { upsert: true }),
      );
    },
  };
}
