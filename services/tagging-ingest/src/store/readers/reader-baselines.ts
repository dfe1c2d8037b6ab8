import { defineRecords, type Mongo } from "@asset-register/mongo";
import type { Baseline } from "../../domain/readers/baseline.ts";

/** One row for each fixed portal. */
export const readerBaselineRecords = defineRecords<Baseline>({
  collection: "reader_baselines",
  name: "baseline",
  fields: { means: [Number], weeks: [Number], takenUntil: Date },
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

/** A baseline as it was read, if it was stored, and with further hours. */
export type TakenBaseline = { before: Baseline | undefined; after: Baseline };

export function createReaderBaselineStore(mongo: Mongo) {
  const { collection, getMany } = readerBaselineRecords.store(mongo);
  return {
    getMany,

    /** Saves baselines of a workspace, each unless its hours were taken meanwhile. */
    async save(workspaceId: string, taken: readonly TakenBaseline[]): Promise<void> {
      if (taken.length === 0) return;
      const writes = taken.map(({ before, after: { id, means, weeks, takenUntil } }) => {
        const filter = { workspaceId, _id: id };
        const fields = { means, weeks, takenUntil };
        return before === undefined
          ? { updateOne: { filter, update: { $setOnInsert: fields }, upsert: true } }
          : {
              updateOne: {
                filter: { ...filter, takenUntil: before.takenUntil },
                update: { $set: fields },
              },
            };
      });
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
}
