import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Scan } from "../domain/scan.ts";

export const scanRecords = defineRecords<Scan>({
  collection: "scans",
  name: "scan",
  fields: {
    sessionId: String,
    code: String,
    epc: String,
    normalised: String,
    locationId: String,
    method: String,
    deviceId: String,
    scannedAt: Date,
    receivedAt: Date,
    seq: Number,
    key: String,
  },
  indexes: [
    { name: "key", key: { workspaceId: 1, sessionId: 1, key: 1 }, unique: true },
    // Lists are in this order too: an index by id would cost each upload more.
    { name: "seq", key: { workspaceId: 1, sessionId: 1, seq: 1, _id: 1 } },
    { name: "normalised", key: { workspaceId: 1, sessionId: 1, normalised: 1, seq: 1 } },
  ],
});

export function createScanStore(mongo: Mongo) {
  const { collection, list } = scanRecords.store(mongo);
  return {
    /** In the order in which they were accepted. `total` is the number that the session has counted. */
    list: (workspaceId: string, sessionId: string, page: PageQuery, total: number): Promise<Page<Scan>> =>
      list(
        workspaceId,
        { ...page, sort: page.sort ?? "seq" },
        { filter: { sessionId }, sorts: { seq: "seq" }, total: async () => total },
      ),

    /** The ids of the session's scans that have one of these keys. */
    async idsByKey(
      workspaceId: string,
      sessionId: string,
      keys: string[],
      transaction?: ClientSession,
    ): Promise<Map<string, string>> {
      const found = collection.find(
        { workspaceId, sessionId, key: { $in: keys } },
        { projection: { key: 1 }, ...(transaction && { session: transaction }) },
      );
      return new Map((await found.toArray()).map(({ _id, key }) => [key, _id]));
    },

    /** Native, since an upload has up to 1000 scans. */
    async insertMany(workspaceId: string, scans: readonly Scan[], transaction: ClientSession): Promise<void> {
      if (scans.length === 0) return;
      const documents = scans.map(({ id, ...scan }) => ({ ...scan, _id: id, workspaceId }));
      await collection.insertMany(documents, { session: transaction, ignoreUndefined: true });
    },
  };
}
