import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { type ImportRow, type ImportRowStatus, importRowId } from "../../domain/import/import.ts";

/** By what rows of one file are compared: the number, and values of unique fields. */
type RowKeys = { keys: string[] };

export const problemFields = {
  field: String,
  code: String,
  message: String,
  column: String,
  value: String,
};

export const importRowRecords = defineRecords<ImportRow, RowKeys>({
  collection: "import_rows",
  name: "row",
  fields: {
    importId: String,
    row: Number,
    status: String,
    assetId: String,
    number: String,
    problems: [embedded(problemFields)],
    input: Object,
    expiresAt: Date,
  },
  beside: { keys: [String] },
  indexes: [
    { name: "list", key: { workspaceId: 1, importId: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, importId: 1, status: 1, _id: 1 } },
    { name: "keys", key: { workspaceId: 1, importId: 1, keys: 1, row: 1 } },
  ],
});

/** A row, and the keys that no other row of the file may have. */
export type KeyedRow = ImportRow & RowKeys;

export function createImportRowStore(mongo: Mongo) {
  const { collection, list, toRecord } = importRowRecords.store(mongo);
  const toDocument = (workspaceId: string, { id, ...row }: KeyedRow) => ({ ...row, _id: id, workspaceId });
  return {
    list: (
      workspaceId: string,
      importId: string,
      status: ImportRowStatus | undefined,
      page: PageQuery,
    ): Promise<Page<ImportRow>> =>
      list(workspaceId, page, { filter: { importId, ...(status && { status }) }, countCacheMs: 0 }),

    /** The next valid rows that are not imported yet. */
    async listPending(
      workspaceId: string,
      importId: string,
      afterRow: number,
      limit: number,
    ): Promise<KeyedRow[]> {
      const found = await collection
        .find(
          { workspaceId, importId, status: "pending", _id: { $gt: importRowId(importId, afterRow) } },
          { sort: { _id: 1 }, limit, batchSize: limit },
        )
        .toArray();
      return found.map((document) => ({ ...toRecord(document), keys: document.keys }));
    },

    countPending: (workspaceId: string, importId: string): Promise<number> =>
      collection.countDocuments({ workspaceId, importId, status: "pending" }),

    /** Which of these keys earlier rows have, and the first row of each. */
    async rowsWithKeys(workspaceId: string, importId: string, keys: string[]): Promise<Map<string, number>> {
      if (keys.length === 0) return new Map();
      const found = collection.find(
        { workspaceId, importId, keys: { $in: keys } },
        { projection: { keys: 1, row: 1 }, sort: { row: -1 } },
      );
      return new Map((await found.toArray()).flatMap((row) => row.keys.map((key) => [key, row.row])));
    },

    /** Native, since a file has 100,000 rows. */
    async insertMany(workspaceId: string, rows: readonly KeyedRow[], session: ClientSession): Promise<void> {
      if (rows.length === 0) return;
      const documents = rows.map((row) => toDocument(workspaceId, row));
      await collection.insertMany(documents, { session, ignoreUndefined: true });
    },

    /**
     * Saves what became of rows. To delete and insert them costs half of an update of each (MongoDB 6, in a
     * transaction: 60 against 125 us a row).
     */
    async saveResults(workspaceId: string, rows: readonly KeyedRow[], session: ClientSession): Promise<void> {
      if (rows.length === 0) return;
      await collection.deleteMany({ workspaceId, _id: { $in: rows.map(({ id }) => id) } }, { session });
      const documents = rows.map((row) => toDocument(workspaceId, row));
      await collection.insertMany(documents, { session, ignoreUndefined: true });
    },
  };
}
