import type { Mongo } from "@asset-register/mongo";
import type { AssetFilter } from "../../domain/assets/asset.ts";
import type { FacetCount, FacetField } from "../../domain/reports/facets.ts";
import { toFilter } from "../assets/asset-filter.ts";
import { facetIndex, selectionIndex } from "../assets/asset-indexes.ts";
import { assetRecords } from "../assets/asset-records.ts";

const fields = { status: "statusId", category: "categoryId", location: "locationId" } as const;

/** Counts assets by the values of a field. The indexes of facets contain everything that this needs. */
export function createFacetCountStore(mongo: Mongo) {
  const { collection } = assetRecords.store(mongo);
  return {
    /** Counts the assets that match, but no more than `most`. */
    async count(
      workspaceId: string,
      filter: AssetFilter,
      by: FacetField,
      { most }: { most?: number } = {},
    ): Promise<FacetCount[]> {
      const hint = indexOf(filter, by);
      const rows = collection.aggregate<{ _id: string | null; count: number }>(
        [
          { $match: { ...toFilter({ ...filter, includeDeleted: false }), workspaceId } },
          ...(most === undefined ? [] : [{ $limit: most }]),
          { $group: { _id: `$${fields[by]}`, count: { $sum: 1 } } },
        ],
        hint === undefined ? {} : { hint },
      );
      return (await rows.toArray()).map(({ _id, count }) => ({ id: _id ?? undefined, count }));
    },
  };
}

/** The filters that have an index, the one that usually matches the fewest assets first. */
const filterFields = ["custodianId", "locationId", "categoryId", "propertyId", "statusId"] as const;

/** The index that contains what is counted. With words and filters, the planner knows best which of them find less. */
function indexOf({ prefixes, ...filter }: AssetFilter, by: FacetField): string | undefined {
  const filters = filterFields.filter((field) => filter[field] !== undefined);
  if (prefixes.length > 0) {
    return prefixes.length === 1 && filters.length === 0 ? facetIndex("tokens") : undefined;
  }
  const first = filters[0] ?? fields[by];
  return first === "propertyId" ? facetIndex(first) : selectionIndex(first);
}
