import type { Mongo } from "@asset-register/mongo";
import type { Asset, AssetFilter } from "../../domain/assets/asset.ts";
import { toFilter } from "../assets/asset-filter.ts";
import { assetRecords } from "../assets/asset-records.ts";

/** Reads of assets for their labels. */
export function createLabelledAssetStore(mongo: Mongo) {
  const { collection, getMany } = assetRecords.store(mongo);
  return {
    /** Deleted assets too, by id. */
    getMany: (workspaceId: string, ids: readonly string[]): Promise<Map<string, Asset>> =>
      getMany(workspaceId, ids),

    /** Which of these assets exist and are not deleted. */
    async existing(workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
      const filter = { workspaceId, _id: { $in: [...ids] }, deleted: false };
      const found = await collection.find(filter, { projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** The assets that match, in the order of their numbers, at most `limit`. */
    async idsByNumber(workspaceId: string, filter: AssetFilter, limit: number): Promise<string[]> {
      const found = await collection
        .find(
          { ...toFilter({ ...filter, includeDeleted: false }), workspaceId },
          { projection: { _id: 1 }, sort: { numberKey: 1, _id: 1 }, limit },
        )
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
