import { createCountCache, type ListPlan, type ListWay, type Mongo } from "@asset-register/mongo";
import type { AssetListFilter } from "../../domain/assets/asset-list.ts";
import { EITHER, hasWord, toWordFilter } from "./asset-filter.ts";
import { containedFields, orderIndex, selectorIndex, WORD_INDEX } from "./asset-indexes.ts";
import { assetRecords } from "./asset-records.ts";
import {
  type Counted,
  cheapest,
  containsAll,
  type ListLimits,
  type ListPath,
  listLimits,
  listPaths,
  type Selector,
  selectorsOf,
} from "./list-path.ts";
import { wordsWith } from "./word-ranges.ts";

/** Counts that only choose an index may be old. */
const KEEP_MS = 60_000;

export type AssetListPlanner = ReturnType<typeof createAssetListPlanner>;

/**
 * Chooses the indexes of lists of assets. The server chooses by trying each index, on up to a third of the collection:
 * of a million assets that takes seconds.
 */
export function createAssetListPlanner(mongo: Mongo, limits: ListLimits = listLimits) {
  const { collection } = assetRecords.store(mongo);
  const counts = createCountCache();

  const count = (workspaceId: string, selector: Selector, limit: number): Promise<number> =>
    counts.count(JSON.stringify([workspaceId, limit, selector]), KEEP_MS, () =>
      collection.countDocuments(
        { workspaceId, deleted: false, ...conditionOf(selector) },
        { limit, hint: selectorIndex(selector) },
      ),
    );

  const countAll = (workspaceId: string, selectors: readonly Selector[], limit: number): Promise<Counted[]> =>
    Promise.all(
      selectors.map(async (selector) => ({ selector, count: await count(workspaceId, selector, limit) })),
    );

  /** Counts as far as the choice depends on it. `isOrdered`: whether any number of assets can be read in order. */
  async function countedOf(
    workspaceId: string,
    filter: AssetListFilter,
    isOrdered: (selector: Selector) => boolean,
  ): Promise<Counted[]> {
    const selectors = selectorsOf(filter);
    const [first, ...others] = selectors;
    if (first === undefined) return [];
    const isOnly = others.length === 0 && filter.updatedSince === undefined;
    if (isOnly && isOrdered(first)) return [{ selector: first, count: limits.counted }];
    const counted = await countAll(workspaceId, selectors, limits.few + 1);
    const isDecided = isOnly || counted.some(({ count }) => count <= limits.few);
    return isDecided ? counted : countAll(workspaceId, selectors, limits.counted);
  }

  /** By the words that begin with the prefix, unless they are many. */
  async function wordWay(
    workspaceId: string,
    filter: AssetListFilter,
    prefix: string,
  ): Promise<ListWay | undefined> {
    const words = new Set<string>();
    for (const deleted of filter.includeDeleted ? [false, true] : [false]) {
      const found = await wordsWith(collection, { workspaceId, deleted, prefix, most: limits.words });
      if (found === undefined) return undefined;
      for (const word of found) words.add(word);
    }
    return { hint: WORD_INDEX, filter: toWordFilter(filter, prefix, { tokens: { $in: [...words] } }) };
  }

  /** The selector by which a list is read, and whether its index has all conditions. */
  function driverOf(filter: AssetListFilter, counted: readonly Counted[]) {
    const driver = cheapest(counted, containedFields);
    const isCovered =
      filter.updatedSince === undefined &&
      driver !== undefined &&
      containsAll(driver.selector, counted, containedFields);
    return { driver, isCovered };
  }

  return {
    /** How a list is read in the order of a field. */
    async plan(workspaceId: string, filter: AssetListFilter, orderField: string): Promise<ListPlan> {
      const isById = orderField === "_id";
      const counted = await countedOf(workspaceId, filter, ({ by }) => isById && by === "field");
      const { driver, isCovered } = driverOf(filter, counted);
      const paths = listPaths(driver, { isById, isCovered }, limits);
      let words: Promise<ListWay | undefined> | undefined;
      const wordsOf = (prefix: string) => {
        words ??= wordWay(workspaceId, filter, prefix);
        return words;
      };
      const wayOf = (path: ListPath): ListPlan["ways"][number] => {
        if (path.by === "words") return () => wordsOf(path.prefix);
        // The index of a field has the order of ids anyway.
        const idsFirst = isById && isCovered && path.by === "selector" && path.selector.by === "word";
        if (path.by === "selector") return { ...selectorWay(filter, path.selector), idsFirst };
        const hint = orderIndex(orderField);
        return path.most === undefined
          ? { hint }
          : { hint, scan: { most: path.most, range: rangeOf(filter) } };
      };
      return {
        ways: paths.map(wayOf),
        total: async () => {
          const way = totalWay(filter, driver, isCovered, limits);
          // The server counts whole words in three quarters of the time of all that begin with a prefix.
          const [path] = paths;
          return isCovered && path?.by === "words" ? ((await wordsOf(path.prefix)) ?? way) : way;
        },
      };
    },

    /** How the assets of a list are counted or added up. A `scan` says that all of them would take too long. */
    async total(workspaceId: string, filter: AssetListFilter): Promise<ListWay> {
      const { driver, isCovered } = driverOf(filter, await countedOf(workspaceId, filter, () => true));
      return totalWay(filter, driver, isCovered, limits);
    },
  };
}

/** The total of two common words would take seconds: it is the number of assets that were found after so many. */
function totalWay(
  filter: AssetListFilter,
  driver: Counted | undefined,
  isCovered: boolean,
  { counted }: Pick<ListLimits, "counted">,
): ListWay {
  if (driver === undefined) return filter.updatedSince ? { hint: orderIndex("updatedAt") } : {};
  const way = selectorWay(filter, driver.selector);
  if (isCovered || driver.count < counted) return way;
  const { deleted } = rangeOf(filter);
  return { ...way, scan: { most: counted, range: { deleted, ...conditionOf(driver.selector) } } };
}

const selectorWay = (filter: AssetListFilter, selector: Selector): ListWay =>
  selector.by === "word"
    ? { hint: WORD_INDEX, filter: toWordFilter(filter, selector.prefix) }
    : { hint: selectorIndex(selector) };

const conditionOf = (selector: Selector) =>
  selector.by === "word" ? hasWord(selector.prefix) : { live: EITHER, [selector.field]: selector.value };

/** The conditions that the index of an order begins with. */
const rangeOf = ({ includeDeleted, updatedSince }: AssetListFilter) => ({
  deleted: includeDeleted ? EITHER : false,
  ...(updatedSince && { updatedAt: { $gte: updatedSince } }),
});
