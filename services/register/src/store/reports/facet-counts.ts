import type { Mongo } from "@asset-register/mongo";
import type { mongo } from "mongoose";
import type { AssetFilter } from "../../domain/assets/asset.ts";
import { type FacetCount, type FacetField, totalOf } from "../../domain/reports/facets.ts";
import { EITHER, toFilter } from "../assets/asset-filter.ts";
import { selectionIndex } from "../assets/asset-indexes.ts";
import { createAssetListPlanner } from "../assets/asset-list-plan.ts";
import { assetRecords } from "../assets/asset-records.ts";

const fields = { status: "statusId", category: "categoryId", location: "locationId" } as const;

/** The numbers of assets by the values of each field that was asked for. */
export type FacetCounts = ReadonlyMap<FacetField, FacetCount[]>;

/** Counts assets by the values of fields. */
export function createFacetCountStore(mongo: Mongo) {
  const { collection } = assetRecords.store(mongo);
  const planner = createAssetListPlanner(mongo);

  /** Reads each asset or its entry once, for all fields together. */
  async function group(
    match: mongo.BSON.Document & { workspaceId: string },
    hint: string | undefined,
    by: readonly FacetField[],
    most?: number,
  ): Promise<FacetCounts> {
    const _id = Object.fromEntries(by.map((field) => [field, `$${fields[field]}`]));
    const rows = collection.aggregate<{ _id: Partial<Record<FacetField, string>>; count: number }>(
      [
        { $match: match },
        ...(most === undefined ? [] : [{ $limit: most }]),
        { $group: { _id, count: { $sum: 1 } } },
      ],
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
      // One more shows whether the count is complete.
      const limit = most + 1;
      // The index of words does not contain what is counted, but it shows in a tenth of the time how many assets match.
      const isSearch = filter.prefixes.length > 0;
      if (isSearch && (await collection.countDocuments(match, { limit, ...(hint && { hint }) })) > most)
        return undefined;
      const counts = await group(match, hint, by, limit);
      return [...counts.values()].some((found) => totalOf(found) > most) ? undefined : counts;
    },
  };
}

/** One row for each value. */
function added(rows: readonly FacetCount[]): FacetCount[] {
  const counts = new Map<string | undefined, number>();
  for (const { id, count } of rows) counts.set(id, (counts.get(id) ?? 0) + count);
  return [...counts].map(([id, count]) => ({ id, count }));
}
