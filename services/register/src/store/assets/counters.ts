import { type Mongo, retryOnDuplicateKey } from "@asset-register/mongo";

type CounterDocument = { _id: string; workspaceId: string; value: number };

/**
 * The counter of a workspace's asset numbers. It is raised outside transactions, where it would make all creations of
 * a workspace wait for each other. So numbers may have gaps.
 */
export function createCounterStore(mongo: Mongo) {
  const counters = mongo.collection<CounterDocument>("counters");
  const key = (workspaceId: string) => ({ _id: `${workspaceId}:asset-number`, workspaceId });
  return {
    /** Takes `count` values. Returns the last one. */
    async reserve(workspaceId: string, count: number): Promise<number> {
      const row = await retryOnDuplicateKey(() =>
        counters.findOneAndUpdate(
          key(workspaceId),
          { $inc: { value: count } },
          { upsert: true, returnDocument: "after" },
        ),
      );
      if (!row) throw new Error("an upsert answered no document");
      return row.value;
    },

    /** The next number is the one after `value`, or a higher one. */
    async skipTo(workspaceId: string, value: number): Promise<void> {
      await retryOnDuplicateKey(() =>
        counters.updateOne(key(workspaceId), { $max: { value } }, { upsert: true }),
      );
    },
  };
}
