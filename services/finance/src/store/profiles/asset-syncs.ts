import {
  defineWorkRecords,
  type Mongo,
  retryOnDuplicateKey,
  unclaimed,
  type WorkDocument,
} from "@asset-register/mongo";

/** The application of register's newest changes of a workspace, for a run to be posted. Its id is that of the workspace. */
export type AssetSync = {
  id: string;
  workspaceId: string;
  status: "applying" | "applied";
  progress: { done: number; total: number };
};

export type AssetSyncDocument = WorkDocument<AssetSync>;

export const assetSyncRecords = defineWorkRecords<AssetSync>({
  collection: "asset_syncs",
  name: "application of changes",
  fields: {},
  indexes: [],
});

export function createAssetSyncStore(mongo: Mongo) {
  const { collection } = assetSyncRecords.store(mongo);
  return {
    /** Begins again: a work that is going on may have read its last page before this moment. */
    async begin(workspaceId: string): Promise<void> {
      const progress = { done: 0, total: 0 };
      await retryOnDuplicateKey(() =>
        collection.updateOne(
          { workspaceId, _id: workspaceId },
          { $set: { status: "applying" as const, progress, ...unclaimed } },
          { upsert: true },
        ),
      );
    },
  };
}
