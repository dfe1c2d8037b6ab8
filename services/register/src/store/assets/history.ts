import {
  type ClientSession,
  definedOnly,
  defineRecords,
  embedded,
  embeddedActor,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { lowestId } from "@asset-register/runtime";
import type { HistoryAction, HistoryEntry } from "../../domain/assets/history.ts";
import { firstOfEach } from "./first-of-each.ts";

/** More than the clocks of a process and of the database may differ. */
const CLOCKS_DIFFER_MS = 60_000;

export const historyRecords = defineRecords<HistoryEntry>({
  collection: "asset_history",
  name: "history entry",
  fields: {
    assetId: String,
    at: Date,
    actor: embeddedActor(),
    action: String,
    changes: [embedded({ field: String, before: String, after: String })],
    note: String,
    requestId: String,
    causeId: String,
    assetRev: Number,
  },
  indexes: [
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    {
      name: "status",
      // `action` is in the key too, so that the server reads no document to compare it.
      key: { workspaceId: 1, assetId: 1, action: 1, at: 1, _id: 1 },
      partialFilterExpression: { action: "status" },
    },
    // An effect happens once for its cause.
    {
      name: "cause",
      key: { workspaceId: 1, causeId: 1 },
      unique: true,
      partialFilterExpression: { causeId: { $exists: true } },
    },
  ],
});

/** The history of assets. It is append-only. */
export function createHistoryStore(mongo: Mongo) {
  const { collection, insertManyNative, findOne, find, list, toRecord } = historyRecords.store(mongo);
  return {
    /** Native, since each row of an import has an entry. */
    append: (workspaceId: string, entries: HistoryEntry[], session: ClientSession): Promise<void> =>
      insertManyNative(workspaceId, entries, session),

    /** The row of an effect. */
    getByCause: (
      workspaceId: string,
      causeId: string,
      session: ClientSession,
    ): Promise<HistoryEntry | undefined> => findOne(workspaceId, { causeId }, session),

    /** The last row that set a status of an asset. */
    async lastStatusTo(
      workspaceId: string,
      assetId: string,
      statusId: string,
      session: ClientSession,
    ): Promise<HistoryEntry | undefined> {
      const [row] = await find(
        workspaceId,
        { assetId, action: "status", changes: { $elemMatch: { field: "status_id", after: statusId } } },
        { session, sort: { at: -1, _id: -1 }, limit: 1 },
      );
      return row;
    },

    /** Whether an asset has a row with one of these actions after an instant. */
    async hasSince(
      workspaceId: string,
      assetId: string,
      actions: readonly HistoryAction[],
      at: Date,
      session: ClientSession,
    ): Promise<boolean> {
      // Ids contain the time of a process, which differs from that of the database. So only newer rows are read.
      const _id = { $gt: lowestId("his", new Date(at.getTime() - CLOCKS_DIFFER_MS)) };
      const filter = { assetId, _id, action: { $in: [...actions] }, at: { $gt: at } };
      return (await findOne(workspaceId, filter, session)) !== undefined;
    },

    /** Adds the rows that are not stored yet. */
    async appendOnce(
      workspaceId: string,
      entries: readonly HistoryEntry[],
      session?: ClientSession,
    ): Promise<void> {
      if (entries.length === 0) return;
      const rows = entries.map(({ id, workspaceId: _own, ...fields }) => ({
        updateOne: {
          filter: { workspaceId, _id: id },
          update: { $setOnInsert: definedOnly(fields) },
          upsert: true,
        },
      }));
      await collection.bulkWrite(rows, { ordered: false, ...(session && { session }) });
    },

    /** The history of an asset. */
    list: (workspaceId: string, assetId: string, page: PageQuery): Promise<Page<HistoryEntry>> =>
      list(workspaceId, page, { filter: { assetId } }),

    /** Of each asset the last `status` row at or before an instant. */
    async lastStatusAt(workspaceId: string, assetIds: readonly string[], at: Date): Promise<HistoryEntry[]> {
      const match = { workspaceId, assetId: { $in: assetIds }, action: "status", at: { $lte: at } };
      return (await firstOfEach(collection, match, -1, { equal: ["action"] })).map(toRecord);
    },

    /** Of each asset the first `status` row after an instant. */
    async firstStatusAfter(
      workspaceId: string,
      assetIds: readonly string[],
      at: Date,
    ): Promise<HistoryEntry[]> {
      const match = { workspaceId, assetId: { $in: assetIds }, action: "status", at: { $gt: at } };
      return (await firstOfEach(collection, match, 1, { equal: ["action"] })).map(toRecord);
    },
  };
}
