import type { Mongo } from "@asset-register/mongo";
import type { mongo } from "mongoose";
import type { AssetFilter } from "../../domain/assets/asset.ts";
import type { FacetCount, FacetField } from "../../domain/reports/facets.ts";
import { EITHER, toFilter } from "../assets/asset-filter.ts";
import { selectionIndex } from "../assets/asset-indexes.ts";
import { type AssetListPlanner, createAssetListPlanner } from "../assets/asset-list-plan.ts";
import { assetRecords } from "../assets/asset-records.ts";

const fields = { status: "statusId", category: "categoryId", location: "locationId" } as const;

/** The numbers of assets by the values of each field that was asked for. */
export type FacetCounts = ReadonlyMap<FacetField, FacetCount[]>;

/** Counts assets by the values of fields. */
export function createFacetCountStore(
  mongo: Mongo,
  planner: AssetListPlanner = createAssetListPlanner(mongo),
) {
  const { collection } = assetRecords.store(mongo);

  /** Reads each asset or its entry once, for all fields together. */
  async function group(
    match: mongo.BSON.Document & { workspaceId: string },
    hint: string | undefined,
    by: readonly FacetField[],
  ): Promise<FacetCounts> {
    const _id = Object.fromEntries(by.map((field) => [field, `$${fields[field]}`]));
    const rows = collection.aggregate<{ _id: Partial<Record<FacetField, string>>; count: number }>(
      [{ $match: match }, { $group: { _id, count: { $sum: 1 } } }],
      hint === undefined ? {} : { hint },
    );
    const found = await rows.toArray();
    const countsOf = (field: FacetField) =>
      added(found.map((row) => ({ id: row._id[field], count: row.count })));
    return new Map(by.map((field) => [field, countsOf(field)]));
  }

  return {
    /** Counts all assets of the workspace. */
    async countAll(workspaceId: string, field: FacetField): Promise<FacetCount[]> {
      const all = { workspaceId, deleted: false, live: EITHER };
      return (await group(all, selectionIndex(fields[field]), [field])).get(field) ?? [];
    },

    /**
     * Counts the assets that match. Undefined if they are more than `most`, or if a count takes too long: of two conditions
     * that each match many assets, and that no index contains together.
     */
    async count(
      workspaceId: string,
      filter: AssetFilter,
      by: readonly FacetField[],
      most: number,
    ): Promise<FacetCounts | undefined> {
      const selected = { ...filter, includeDeleted: false };
      const { hint, scan, ...way } = await planner.total(workspaceId, selected);
      if (scan) return undefined;
      const match = { ...(way.filter ?? toFilter(selected)), workspaceId };
      // To count all takes a third of the time, and of words a tenth. One more shows that there are too many.
      const total = await collection.countDocuments(match, { limit: most + 1, ...(hint && { hint }) });
      return total > most ? undefined : group(match, hint, by);
    },
  };
}

/** One row for each value. */
function added(rows: readonly FacetCount[]): FacetCount[] {
  const counts = new Map<string | undefined, number>();
  for (const { id, count } of rows) counts.set(id, (counts.get(id) ?? 0) + count);
  return [...counts].map(([id, count]) => ({ id, count }));
}
