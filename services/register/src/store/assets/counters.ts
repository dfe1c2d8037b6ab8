import { type Mongo, retryOnDuplicateKey } from "@asset-register/mongo";
import { createBatcher, runShared } from "@asset-register/runtime";

type Reservation = { workspaceId: string; count: number };
type Reserved = { last: number } | { error: unknown };

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

  /** What one workspace's reservations share fails alone. */
  async function raiseFor(reservations: readonly Reservation[]): Promise<Reserved[]> {
    const reserved = new Map<Reservation, Reserved>();
    const work = [...Map.groupBy(reservations, ({ workspaceId }) => workspaceId)].map(async ([id, own]) => {
      const all = own.reduce((sum, { count }) => sum + count, 0);
      try {
        let last = (await raise(id, all)) - all;
        for (const one of own) {
          last += one.count;
          reserved.set(one, { last });
        }
      } catch (error) {
        for (const one of own) reserved.set(one, { error });
      }
    });
    await Promise.all(work);
    return reservations.flatMap((one) => reserved.get(one) ?? []);
  }

  const reservations = createBatcher<Reservation, Reserved>({
    // Further ones begin only if one takes long: two updates of one row would wait for each other.
    ...{ maxItems: 1_000, maxInFlight: 4, worthwhile: 16 },
    send: (together) => runShared(() => raiseFor(together)),
  });
  return {
    /** Takes `count` values. Returns the last one. */
    async reserve(workspaceId: string, count: number): Promise<number> {
      const reserved = await reservations.add({ workspaceId, count });
      if ("error" in reserved) throw reserved.error;
      return reserved.last;
    },

    /** The next number is the one after `value`, or a higher one. */
    async skipTo(workspaceId: string, value: number): Promise<void> {
      await retryOnDuplicateKey(() =>
        counters.updateOne(key(workspaceId), { $max: { value } }, { upsert: true }),
      );
    },
  };
}
