import { type Mongo, retryOnDuplicateKey } from "@asset-register/mongo";
import { createKeyedBatcher, runShared } from "@asset-register/runtime";

type CounterDocument = { _id: string; workspaceId: string; value: number };

/**
 * The counter of a workspace's asset numbers. It is raised outside transactions, where it would make all creations of
 * a workspace wait for each other. So numbers may have gaps. Concurrent reservations share an update: each alone, they
 * would wait for each other at the row.
 */
export function createCounterStore(mongo: Mongo) {
  const counters = mongo.collection<CounterDocument>("counters");
  const key = (workspaceId: string) => ({ _id: `${workspaceId}:asset-number`, workspaceId });

  /** Takes `count` values. Returns the last one. */
  async function raise(workspaceId: string, count: number): Promise<number> {
    const row = await retryOnDuplicateKey(() =>
      counters.findOneAndUpdate(
        key(workspaceId),
        { $inc: { value: count } },
        { upsert: true, returnDocument: "after" },
      ),
    );
    if (!row) throw new Error("an upsert answered no document");
    return row.value;
  }

  /** Takes values for all of them, one after the other. Returns the last one of each. */
  async function raiseFor(workspaceId: string, counts: readonly number[]): Promise<number[]> {
    const all = counts.reduce((sum, count) => sum + count, 0);
    let last = (await raise(workspaceId, all)) - all;
    return counts.map((count) => {
      last += count;
      return last;
    });
  }

  const reservations = createKeyedBatcher<number, number>({
    // Further ones begin only if one takes long: two updates of one row would wait for each other.
    ...{ maxItems: 1_000, maxInFlight: 4, worthwhile: 16 },
    send: (workspaceId, counts) => runShared(() => raiseFor(workspaceId, counts)),
  });
  return {
    /** Takes `count` values. Returns the last one. */
    reserve: (workspaceId: string, count: number): Promise<number> => reservations.add(workspaceId, count),

    /** The next number is the one after `value`, or a higher one. */
    async skipTo(workspaceId: string, value: number): Promise<void> {
      await retryOnDuplicateKey(() =>
        counters.updateOne(key(workspaceId), { $max: { value } }, { upsert: true }),
      );
    },
  };
}
