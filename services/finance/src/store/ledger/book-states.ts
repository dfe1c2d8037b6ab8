import { type ClientSession, defineRecords, embedded, type Mongo, setOrUnset } from "@asset-register/mongo";
import { changedMeanwhile } from "@asset-register/runtime";
import type { BookState } from "../../domain/ledger/book-state.ts";

export const bookStateRecords = defineRecords<BookState>({
  collection: "book_states",
  name: "book value",
  fields: {
    currency: String,
    nbv: Number,
    accumulated: Number,
    gainLoss: Number,
    writeOff: embedded({ assetRev: Number }),
    deletedAt: Date,
    rev: Number,
  },
  indexes: [
    {
      name: "write_off",
      key: { workspaceId: 1, _id: 1 },
      partialFilterExpression: { "writeOff.assetRev": { $exists: true } },
    },
  ],
});

/** The last published state of each asset. Native writes, since a posting writes a million. */
export function createBookStateStore(mongo: Mongo) {
  const { collection, find, getMany } = bookStateRecords.store(mongo);
  return {
    async insertMany(
      workspaceId: string,
      states: readonly BookState[],
      session: ClientSession,
    ): Promise<void> {
      if (states.length === 0) return;
      const documents = states.map(({ id, ...state }) => ({ ...state, _id: id, workspaceId }));
      await collection.insertMany(documents, { session, ignoreUndefined: true });
    },

    /** @throws AppError CONFLICT if another change of one of them was saved first */
    async saveMany(
      workspaceId: string,
      changes: readonly { before: BookState; after: BookState }[],
      session: ClientSession,
    ): Promise<void> {
      if (changes.length === 0) return;
      const updates = changes.map(({ before: { rev }, after: { id, workspaceId: _, ...fields } }) => ({
        updateOne: { filter: { workspaceId, _id: id, rev }, update: setOrUnset(fields) },
      }));
      const { matchedCount } = await collection.bulkWrite(updates, { session });
      if (matchedCount < changes.length) throw changedMeanwhile(bookStateRecords.name);
    },

    getMany,

    /** How many assets a stock-take wrote off that are not disposed of yet, and their NBV. */
    async writtenOffTotals(workspaceId: string): Promise<{ count: number; nbv: number }> {
      const [found] = await collection
        .aggregate<{ count: number; nbv: number }>([
          { $match: { workspaceId, "writeOff.assetRev": { $exists: true } } },
          { $group: { _id: null, count: { $sum: 1 }, nbv: { $sum: "$nbv" } } },
          { $project: { _id: 0 } },
        ])
        .toArray();
      return found ?? { count: 0, nbv: 0 };
    },

    /** Assets that a stock-take wrote off and that are not disposed of yet, in order of id. */
    listWrittenOff: (workspaceId: string, limit: number): Promise<BookState[]> =>
      find(workspaceId, { "writeOff.assetRev": { $exists: true } }, { sort: { _id: 1 }, limit }),
  };
}
