import type { AssetListFilter } from "../../domain/assets/asset-list.ts";

/** A condition by which an index selects assets. */
export type Selector = { by: "field"; field: FilterField; value: string } | { by: "word"; prefix: string };

/** The fields by which lists are filtered. Among equals, the first one usually finds the fewest assets. */
const filterFields = ["custodianId", "locationId", "categoryId", "propertyId", "statusId"] as const;

export type FilterField = (typeof filterFields)[number];

/** The selectors of a filter. */
export function selectorsOf({ prefixes, ...filter }: AssetListFilter): Selector[] {
  const fields = filterFields.flatMap((field): Selector[] => {
    const value = filter[field];
    return value === undefined ? [] : [{ by: "field", field, value }];
  });
  return [...prefixes.map((prefix): Selector => ({ by: "word", prefix })), ...fields];
}

/** `count` is how many assets the selector finds, or how far they were counted. */
export type Counted = { selector: Selector; count: number };

/** A way to read a list, each named for the index that it reads. */
export type ListPath =
  /** The index of the order: all assets of the workspace, at most `most` of them. */
  | { by: "order"; most?: number }
  /** The index of a field or of words. The server sorts, unless it is a field and the order is that of ids. */
  | { by: "selector"; selector: Selector }
  /** The index of words, in order of id: one range for each word that begins with the prefix, if they are few. */
  | { by: "words"; prefix: string };

/** The bounds of reads. Tests have smaller ones. */
export type ListLimits = {
  /** So many assets are read and sorted at once. */
  few: number;
  /** So many assets are read in the order of the list before another index is used. */
  scanned: number;
  /** Selectors are counted up to here, and the assets that two common words have together. */
  counted: number;
  /** So many words that begin with a prefix are read each in order. The server merges at most 200 ranges. */
  words: number;
};

/** Measured with 1,000,000 assets (test/bench/README.md). */
export const listLimits: ListLimits = { few: 5_000, scanned: 6_000, counted: 10_000, words: 20 };

/** To read an asset takes as long as so many entries of an index: 7 us. */
const READ_COST = 10;

/** The fields that the index of a selector contains, besides its own. */
export type Contained = (selector: Selector) => readonly string[];

/** The selector whose index has the least to read. Undefined without any. */
export function cheapest(counted: readonly Counted[], contained: Contained): Counted | undefined {
  const costs = counted.map((one) => ({ one, cost: one.count * costOf(one.selector, counted, contained) }));
  return costs.toSorted((a, b) => a.cost - b.cost)[0]?.one;
}

/** Whether the index of a selector contains the fields of all others. */
export function containsAll(selector: Selector, counted: readonly Counted[], contained: Contained): boolean {
  const fields = contained(selector);
  return counted.every(
    (other) =>
      other.selector === selector || (other.selector.by === "field" && fields.includes(other.selector.field)),
  );
}

const costOf = (selector: Selector, counted: readonly Counted[], contained: Contained): number =>
  containsAll(selector, counted, contained) ? 1 : READ_COST;

/**
 * The ways to read a list, in the order in which they are tried. The last one always finds the page. `isCovered`: the index
 * of the driver has all conditions.
 */
export function listPaths(
  driver: Counted | undefined,
  { isById, isCovered }: { isById: boolean; isCovered: boolean },
  { few, scanned }: Pick<ListLimits, "few" | "scanned"> = listLimits,
): ListPath[] {
  if (driver === undefined) return [{ by: "order" }];
  const { selector, count } = driver;
  const last: ListPath = { by: "selector", selector };
  if (count <= few || (isById && selector.by === "field")) return [last];
  // Most selectors that find many assets find some among the first ones.
  const first: ListPath = { by: "order", most: scanned };
  if (!isById || selector.by === "field") return [first, last];
  // To sort the entries of the index takes less time than to read as many assets.
  const some: ListPath = isCovered ? { by: "order", most: Math.floor(scanned / 3) } : first;
  return [{ by: "words", prefix: selector.prefix }, some, last];
}
