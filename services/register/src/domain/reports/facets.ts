/** The fields by which assets are counted. */
export const facetFields = ["status", "category", "location"] as const;
export type FacetField = (typeof facetFields)[number];

/** The assets with one value of a field. Without an id it is those that have none. */
export type FacetCount = { id?: string | undefined; count: number };

/** The values with the most assets, and the number of assets with other values. */
export type Facet = { values: FacetCount[]; other: number };

/** The most values of one facet: a page shows a few of them. */
const MAX_VALUES = 50;

/** A filter that matches more assets is too slow to count in 300 ms. */
export const MAX_FACET_ASSETS = 100_000;

/** The values in order of count, the largest first, and of id; those without a value come last among equals. */
export function toFacet(counts: readonly FacetCount[]): Facet {
  const sorted = counts.toSorted((one, other) => other.count - one.count || compareIds(one.id, other.id));
  return { values: sorted.slice(0, MAX_VALUES), other: totalOf(sorted.slice(MAX_VALUES)) };
}

/** The number of assets that were counted. */
export const totalOf = (counts: readonly FacetCount[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

function compareIds(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  return one < other ? -1 : 1;
}
