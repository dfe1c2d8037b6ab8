import { type ProjectedState, projectState } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";
import type { AssetFacts } from "../domain/alert-rule.ts";

type AssetProjection = AssetFacts & {
  id: string;
  workspaceId: string;
  deleted: boolean;
  disposed?: boolean | undefined;
};

export const assetRecords = defineRecords<AssetProjection>({
  collection: "assets",
  name: "asset",
  fields: { categoryId: String, locationId: String, statusId: String, deleted: Boolean, disposed: Boolean },
  indexes: [],
});

/** An asset that is projected. `gone`: it is deleted or disposed of. */
export type ProjectedAsset = AssetFacts & { gone: boolean };

/** Category, location and status of each asset: a projection of `asset` events. */
export function createAssetStore(mongo: Mongo) {
  const { collection, find } = assetRecords.store(mongo);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(collection, states),

    /** The assets that are projected, by id. A deleted asset has no place and no status. */
    async getMany(workspaceId: string, ids: string[]): Promise<Map<string, ProjectedAsset>> {
      const found = await find(workspaceId, { _id: { $in: ids } });
      return new Map(
        found.map(({ id, deleted, disposed = false, categoryId, locationId, statusId }) => [
          id,
          deleted ? { gone: true } : { categoryId, locationId, statusId, gone: disposed },
        ]),
      );
    },
  };
}
