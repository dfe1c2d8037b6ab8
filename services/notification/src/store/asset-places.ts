import { type ProjectedState, projectState } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { AssetPlace } from "../domain/alert-rule.ts";

type AssetDocument = {
  _id: string;
  workspaceId: string;
  /** Null for an asset that has none any more. */
  category_id?: string | null;
  location_id?: string | null;
  deleted: boolean;
};

export type AssetPlaces = ReturnType<typeof createAssetPlaces>;

/** Category and location of each asset, as the register's events have told. */
export function createAssetPlaces(mongo: Mongo) {
  const rows = mongo.collection<AssetDocument>("assets");
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(rows, states),

    /** The places of the assets that are known; a deleted one has an empty place. */
    async find(workspaceId: string, assetIds: string[]): Promise<Map<string, AssetPlace>> {
      const found = await rows.find({ workspaceId, _id: { $in: assetIds } }).toArray();
      return new Map(found.map((row) => [row._id, row.deleted ? {} : toPlace(row)]));
    },
  };
}

function toPlace(row: AssetDocument): AssetPlace {
  return {
    ...(row.category_id ? { categoryId: row.category_id } : {}),
    ...(row.location_id ? { locationId: row.location_id } : {}),
  };
}
