import { type Mongo, retryOnDuplicateKey } from "@asset-register/mongo";
import { createBatcher, runWithoutDeadline } from "@asset-register/runtime";

type Reservation = { workspaceId: string; count: number };

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

  async function raiseFor(reservations: readonly Reservation[]): Promise<number[]> {
    const lastOf = new Map<Reservation, number>();
    const work = [...Map.groupBy(reservations, ({ workspaceId }) => workspaceId)].map(async ([id, own]) => {
      const all = own.reduce((sum, { count }) => sum + count, 0);
      let last = (await raise(id, all)) - all;
      for (const one of own) {
        last += one.count;
        lastOf.set(one, last);
      }
    });
    await Promise.all(work);
    return reservations.flatMap((one) => lastOf.get(one) ?? []);
  }

  const reservations = createBatcher<Reservation, number>({
    ...{ maxItems: 1_000, maxInFlight: 1 },
    // It is the work of several calls.
    send: (together) => runWithoutDeadline(() => raiseFor(together)),
  });
  return {
    /** Takes `count` values. Returns the last one. */
    reserve: (workspaceId: string, count: number): Promise<number> =>
      reservations.add({ workspaceId, count }),

    /** The next number is the one after `value`, or a higher one. */
    async skipTo(workspaceId: string, value: number): Promise<void> {
      await retryOnDuplicateKey(() =>
        counters.updateOne(key(workspaceId), { $max: { value } }, { upsert: true }),
      );
    },
  };
}
