import type { Index } from "@asset-register/mongo";
import type { Selector } from "./list-path.ts";

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
  propertyId: [...facetedFields, "custodianId"],
  buildingId: ["statusId"],
  floorId: ["statusId"],
  departmentId: ["statusId"],
} as const;

export type SelectionField = keyof typeof selections;

export const selectionFields = Object.keys(selections) as SelectionField[];

/** The name of the index of a field. That of properties was replaced: a name belongs to one list of fields for ever. */
export const selectionIndex = (field: SelectionField): string =>
  field === "propertyId" ? "list_propertyId" : `by_${field}`;

/** For each value of `deleted`, `live` and the field, the assets are in order of id. */
const selectionIndexes = selectionFields.map(
  (field): Index => ({
    name: selectionIndex(field),
    key: { workspaceId: 1, deleted: 1, live: 1, [field]: 1, _id: 1, ...ascending(selections[field], field) },
  }),
);

/** The index of words: the assets of each are in order of id. */
export const WORD_INDEX = "words";

/**
 * It contains nothing else: after an id no field of two entries is alike, so the server could not shorten them. With
 * the fields that facets count, it would have 1,258 MiB for a million assets in place of 335.
 */
const wordIndex: Index = {
  name: WORD_INDEX,
  key: { workspaceId: 1, deleted: 1, tokens: 1, _id: 1 },
};

/** The index of all assets that are not deleted, in order of id. */
export const LIST_INDEX = "list";

/** The name of the index of an order. Those of other fields are named for them. */
export const orderIndex = (field: string): string => (field === "_id" ? LIST_INDEX : field);

export const selectorIndex = (selector: Selector): string =>
  selector.by === "word" ? WORD_INDEX : selectionIndex(selector.field);

/** The fields that the index of a selector contains besides its own. */
export const containedFields = (selector: Selector): readonly string[] =>
  selector.by === "word" ? [] : selections[selector.field];

/** The index of all assets that are neither deleted nor disposed, in order of id. */
export const LIVE_INDEX = "scope_all";

export const assetIndexes: Index[] = [
  ...selectionIndexes,
  wordIndex,
  { name: LIVE_INDEX, key: { workspaceId: 1, live: 1, _id: 1, statusId: 1 } },
];

function ascending(fields: readonly string[], but?: string): Record<string, 1> {
  return Object.fromEntries(fields.filter((field) => field !== but).map((field) => [field, 1]));
}
