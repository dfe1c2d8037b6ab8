import type { Index } from "@asset-register/mongo";

/*
 * Few indexes, each for several readers: in a transaction, MongoDB 6 reads the description of all indexes for each index
 * of each changed document. 1,000 changes took it 1.6 s of CPU time with 29 of them and 0.8 s with 16.
 */

/** The fields by which facets count. */
const facetedFields = ["statusId", "categoryId", "locationId"] as const;

const amounts = ["cost", "nbv", "accumulatedDepreciation"] as const;

/**
 * Fields that select assets in lists and scopes, and group them in reports and facets. Each index ends in what its readers
 * need beside: totals of scopes count statuses, reports add amounts. So they read no documents.
 */
const selections = {
  statusId: [...facetedFields, ...amounts],
  categoryId: [...facetedFields, ...amounts],
  locationId: [...facetedFields, ...amounts],
  custodianId: [...facetedFields, ...amounts],
  propertyId: ["statusId"],
  buildingId: ["statusId"],
  floorId: ["statusId"],
  departmentId: ["statusId"],
} as const;

export type SelectionField = keyof typeof selections;

export const selectionFields = Object.keys(selections) as SelectionField[];

/** The name of the index of a field. */
export const selectionIndex = (field: SelectionField): string => `by_${field}`;

/** For each value of `deleted`, `live` and the field, the assets are in order of id. */
const selectionIndexes = selectionFields.map(
  (field): Index => ({
    name: selectionIndex(field),
    key: { workspaceId: 1, deleted: 1, live: 1, [field]: 1, _id: 1, ...ascending(selections[field], field) },
  }),
);

/** The name of the index of facets with this filter. */
export const facetIndex = (filter: "propertyId" | "tokens"): string => `counted_by_${filter}`;

/** Of filters that no report groups by. A second filter makes the range of keys smaller, since no id is before it. */
const facetIndexes = (["propertyId", "tokens"] as const).map(
  (filter): Index => ({
    name: facetIndex(filter),
    key: { workspaceId: 1, deleted: 1, [filter]: 1, ...ascending(facetedFields), live: 1 },
  }),
);

/** The index of all assets that are neither deleted nor disposed, in order of id. */
export const LIVE_INDEX = "scope_all";

export const assetIndexes: Index[] = [
  ...selectionIndexes,
  ...facetIndexes,
  { name: LIVE_INDEX, key: { workspaceId: 1, live: 1, _id: 1, statusId: 1 } },
];

function ascending(fields: readonly string[], but?: string): Record<string, 1> {
  return Object.fromEntries(fields.filter((field) => field !== but).map((field) => [field, 1]));
}
