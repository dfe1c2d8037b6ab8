import { type ProjectedState, projectState } from "@asset-register/events";
import { createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";
import type { AssetPlace } from "../domain/alert-rule.ts";

type AssetProjection = AssetPlace & { id: string; workspaceId: string; deleted: boolean };

export const assetRecords = defineRecords<AssetProjection>({
  collection: "assets",
  name: "asset",
  fields: { categoryId: String, locationId: String, deleted: Boolean },
  indexes: [],
});

/** Category and location of each asset: a projection of `asset` events. */
export function createAssetPlaceStore(mongo: Mongo) {
  const { collection, find } = createRecordStore(mongo, assetRecords);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(collection, states),

    /** The places of the assets that are projected, by id. A deleted asset has an empty place. */
    async getMany(workspaceId: string, ids: string[]): Promise<Map<string, AssetPlace>> {
      const found = await find(workspaceId, { _id: { $in: ids } });
      return new Map(
        found.map(({ id, deleted, categoryId, locationId }) => [
          id,
          deleted ? {} : { categoryId, locationId },
        ]),
      );
    },
  };
}
