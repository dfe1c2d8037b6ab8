import {
  type ClientSession,
  createRecordStore,
  defineRecords,
  embedded,
  type Mongo,
} from "@asset-register/mongo";
import type { HistoryEntry } from "../domain/history.ts";

export const actorFields = { kind: String, id: String };

export const historyRecords = defineRecords<HistoryEntry>({
  collection: "asset_history",
  name: "history entry",
  fields: {
    assetId: String,
    at: Date,
    actor: embedded(actorFields),
    action: String,
    changes: [embedded({ field: String, before: String, after: String })],
    note: String,
    requestId: String,
  },
  indexes: [{ name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } }],
});

/** What happened to assets: append-only. */
export function createHistoryStore(mongo: Mongo) {
  const { insertMany } = createRecordStore(mongo, historyRecords);
  return {
    append: (workspaceId: string, entries: HistoryEntry[], session: ClientSession): Promise<void> =>
      insertMany(workspaceId, entries, session),
  };
}
