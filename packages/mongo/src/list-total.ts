import mongoose, { type mongo } from "mongoose";
import type { Total } from "./count-cache.ts";
import { counts, type TenantCollection, type TenantDocument } from "./guard/collection.ts";
import type { ListPlan, ListWay } from "./list-ways.ts";

/** A count ends here, and a page number cannot skip more records: both take time for each record. */
export const MAX_COUNT = 100_000;

const COUNT_CACHE_MS = 5_000;
/** Of a total that is not exact anyway. To count so far takes 65 ms. */
const INEXACT_CACHE_MS = 300_000;

type Filter = mongo.BSON.Document;

export type TotalQuery = {
  filter: Filter & { workspaceId: string };
  total?: (() => Promise<number>) | undefined;
  countKey?: object | undefined;
  countCacheMs?: number | undefined;
  plan?: Pick<ListPlan, "total"> | undefined;
  /** The number of records up to the end of the page: all of them if it is the last one. */
  shown: number;
  isLast: boolean;
};

/** The total of a list. One that the page shows is not counted. */
export async function totalOf<T extends TenantDocument>(
  collection: TenantCollection<T>,
  query: TotalQuery,
): Promise<Total> {
  const { filter, total, countKey, countCacheMs = COUNT_CACHE_MS, shown } = query;
  if (total !== undefined) return { total: await total() };
  const counted = countKey === undefined ? filter : { ...countKey, workspaceId: filter.workspaceId };
  const key = `${collection.namespace} ${mongoose.mongo.BSON.EJSON.stringify(counted)}`;
  const isWhole = Object.keys(filter).length === 1;
  const count = () => countRecords(collection, query);
  // 0 turns the cache off.
  const kept = ({ totalIsExact }: Total) =>
    totalIsExact === false && countCacheMs > 0 ? INEXACT_CACHE_MS : countCacheMs;
  const found = await (isWhole ? count() : collection[counts].count(key, kept, count));
  return found.totalIsExact === false ? { ...found, total: Math.max(found.total, shown) } : found;
}

async function countRecords<T extends TenantDocument>(
  collection: TenantCollection<T>,
  { filter, plan, shown, isLast }: TotalQuery,
): Promise<Total> {
  if (isLast) return { total: Math.min(shown, MAX_COUNT), ...(shown > MAX_COUNT && { totalIsExact: false }) };
  const way = typeof plan?.total === "function" ? await plan.total() : plan?.total;
  const found = await countBy(collection, filter, way ?? {});
  if (found > MAX_COUNT) return { total: MAX_COUNT, totalIsExact: false };
  return way?.scan === undefined ? { total: found } : { total: found, totalIsExact: false };
}

async function countBy<T extends TenantDocument>(
  collection: TenantCollection<T>,
  all: Filter & { workspaceId: string },
  { hint, filter = all, scan }: ListWay,
): Promise<number> {
  const { workspaceId } = all;
  const hinted = hint === undefined ? {} : { hint };
  // One more record shows whether the count is complete.
  const limit = MAX_COUNT + 1;
  if (!scan) {
    // The cast is needed because TypeScript cannot check the driver's filter type for a type parameter.
    const selected = { ...filter, workspaceId } as mongo.Filter<T>;
    return collection.countDocuments(selected, { limit, ...hinted });
  }
  const stages = [
    { $match: { ...scan.range, workspaceId } },
    { $limit: scan.most },
    { $match: filter },
    { $limit: limit },
    { $count: "found" },
  ];
  const [counted] = await collection.aggregate<{ found: number }>(stages, hinted).toArray();
  return counted?.found ?? 0;
}
