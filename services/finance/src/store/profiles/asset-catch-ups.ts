import { defineRecords, type Mongo, setOrUnset } from "@asset-register/mongo";

/** How far register's changes of assets were read. Its id is that of the workspace. */
export type AssetCatchUp = {
  id: string;
  workspaceId: string;
  since?: Date | undefined;
  /** Of a reading that is not at its end. */
  cursor?: string | undefined;
};

export const assetCatchUpRecords = defineRecords<AssetCatchUp>({
  collection: "asset_catch_ups",
  name: "reading of assets",
  fields: { since: Date, cursor: String },
  indexes: [],
});

export function createAssetCatchUpStore(mongo: Mongo) {
  const { collection, get } = assetCatchUpRecords.store(mongo);
  return {
    get: async (workspaceId: string): Promise<Pick<AssetCatchUp, "since" | "cursor">> =>
      (await get(workspaceId, workspaceId)) ?? {},

    /** Two readers at once may set each other back: rows are then read twice, and none is missed. */
    async set(workspaceId: string, { since, cursor }: Pick<AssetCatchUp, "since" | "cursor">): Promise<void> {
      await collection.updateOne({ workspaceId, _id: workspaceId }, setOrUnset({ since, cursor }), {
        upsert: true,
      });
    },
  };
}
