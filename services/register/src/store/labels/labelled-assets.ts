import { type Mongo, readRows } from "@asset-register/mongo";
import type { Asset, AssetFilter } from "../../domain/assets/asset.ts";
import { toFilter } from "../assets/asset-filter.ts";
import { type AssetListPlanner, createAssetListPlanner } from "../assets/asset-list-plan.ts";
import { assetRecords, sorts } from "../assets/asset-records.ts";

const BY_NUMBER = { sort: "number", field: sorts.number, direction: 1 } as const;

/** Reads of assets for their labels. */
export function createLabelledAssetStore(
  mongo: Mongo,
  { plan }: Pick<AssetListPlanner, "plan"> = createAssetListPlanner(mongo),
) {
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
      const selected = { ...filter, includeDeleted: false };
      const { rows } = await readRows(collection, await plan(workspaceId, selected, BY_NUMBER.field), {
        ...{ workspaceId, filter: toFilter(selected), order: BY_NUMBER, from: undefined },
        ...{ skipped: 0, limit, projection: { _id: 1 } },
      });
      return rows.map(({ _id }) => _id);
    },
  };
}
