import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { LabelRow } from "../../domain/labels/label-sheet.ts";

export const labelRowRecords = defineRecords<LabelRow>({
  collection: "label_rows",
  name: "label",
  fields: {
    sheetId: String,
    symbol: embedded({ columns: Number, rows: Number, modules: String }),
    lines: [String],
    caption: String,
    expiresAt: Date,
  },
  indexes: [{ name: "list", key: { workspaceId: 1, sheetId: 1, _id: 1 } }],
});

/** Rows that are in memory at once. */
const BATCH = 500;

export function createLabelRowStore(mongo: Mongo) {
  const { collection, insertMany, toRecord } = labelRowRecords.store(mongo);
  return {
    insertMany: (workspaceId: string, rows: readonly LabelRow[], session: ClientSession): Promise<void> =>
      insertMany(workspaceId, rows, session),

    /** The labels of a sheet, in their order. */
    async *read(workspaceId: string, sheetId: string): AsyncGenerator<LabelRow> {
      const cursor = collection.find({ workspaceId, sheetId }, { sort: { _id: 1 }, batchSize: BATCH });
      try {
        for await (const row of cursor) yield toRecord(row);
      } finally {
        await cursor.close();
      }
    },
  };
}
