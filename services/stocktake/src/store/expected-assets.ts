import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { type ExpectedAsset, expectedAssetId } from "../domain/expected-asset.ts";

export const expectedAssetRecords = defineRecords<ExpectedAsset>({
  collection: "expected_assets",
  name: "expected asset",
  fields: {
    sessionId: String,
    assetId: String,
    number: String,
    name: String,
    locationId: String,
    custodianId: String,
    statusId: String,
    statusKey: String,
    scanned: Boolean,
  },
  // The id contains the session and the asset, so it is the order by asset.
  indexes: [{ name: "list", key: { workspaceId: 1, sessionId: 1, _id: 1 } }],
});

/** The part that a reconcile reads: a session expects up to a million assets. */
export type ExpectedRow = Pick<ExpectedAsset, "id" | "assetId" | "locationId" | "scanned">;

export function createExpectedAssetStore(mongo: Mongo) {
  const { collection, list, toRecord } = expectedAssetRecords.store(mongo);
  return {
    /** `total` is the number that the session has counted. */
    list: (
      workspaceId: string,
      sessionId: string,
      page: PageQuery,
      total: number,
    ): Promise<Page<ExpectedAsset>> =>
      list(workspaceId, page, { filter: { sessionId }, total: async () => total }),

    /** A page of a session in order of asset, after an asset. */
    async listAfter(
      workspaceId: string,
      sessionId: string,
      afterAssetId: string | undefined,
      limit: number,
    ): Promise<ExpectedRow[]> {
      const rows = collection.find(
        { workspaceId, sessionId, _id: { $gt: expectedAssetId(sessionId, afterAssetId ?? "") } },
        { sort: { _id: 1 }, limit, projection: { assetId: 1, locationId: 1, scanned: 1 } },
      );
      return (await rows.toArray()).map(toRecord);
    },

    /** Native, since a session expects up to a million assets. */
    async insertMany(
      workspaceId: string,
      rows: readonly ExpectedAsset[],
      transaction: ClientSession,
    ): Promise<void> {
      if (rows.length === 0) return;
      const documents = rows.map(({ id, ...row }) => ({ ...row, _id: id, workspaceId }));
      await collection.insertMany(documents, { session: transaction, ignoreUndefined: true });
    },

    /** Turns `scanned` of these rows. */
    async setScanned(
      workspaceId: string,
      rows: readonly ExpectedRow[],
      transaction: ClientSession,
    ): Promise<void> {
      for (const scanned of [true, false]) {
        const ids = rows.filter((row) => row.scanned !== scanned).map(({ id }) => id);
        if (ids.length === 0) continue;
        await collection.updateMany(
          { workspaceId, _id: { $in: ids } },
          { $set: { scanned } },
          { session: transaction },
        );
      }
    },

    async removeMany(workspaceId: string, ids: string[], transaction: ClientSession): Promise<void> {
      await collection.deleteMany({ workspaceId, _id: { $in: ids } }, { session: transaction });
    },
  };
}
