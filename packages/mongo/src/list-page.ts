import type { Page, PageQuery } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import mongoose, { type mongo } from "mongoose";
import { counts, type TenantCollection, type TenantDocument } from "./guard/collection.ts";
import {
  after,
  driverSort,
  isPlaceIn,
  type Order,
  parseOrder,
  placeOf,
  requireOrder,
  type Sorts,
} from "./list-order.ts";
import { decodeCursor, encodeCursor, foreignCursor, listKey, type Position } from "./page-cursor.ts";

export type ListQuery<T> = Partial<PageQuery> & {
  workspaceId: string;
  filter?: mongo.Filter<T> | undefined;
  limit: number;
  projection?: mongo.BSON.Document | undefined;
  /** The sorts of the list besides "id". */
  sorts?: Sorts | undefined;
  /** Without a sort, in descending order of ids. */
  newestFirst?: boolean | undefined;
  /** The values that a cursor is bound to instead of the filter, for a filter that depends on the time. */
  boundTo?: object | undefined;
  /** The time before the first page is read. The cursors carry it to the answers of the next pages. */
  readAt?: Date | undefined;
  /** The total of the list, if it is known without counting. */
  total?: (() => Promise<number>) | undefined;
  /** The values that a cached total is bound to instead of the filter. Then it may be 5 s behind the time in the filter. */
  countKey?: object | undefined;
  /** Cache time of a counted total of a filtered list. Default: 5 s. That of an unfiltered list is not cached. */
  countCacheMs?: number | undefined;
};

const COUNT_CACHE_MS = 5_000;
/** A count ends here, and a page number cannot skip more records: both take time for each record. */
const MAX_COUNT = 100_000;

/**
 * Reads one page of the records of a workspace, in order of id or of `sort`. An id begins with the time of its
 * creation, so new records do not shift pages and cursors of the order by id. A cursor has its sort, and is valid
 * only with the same filter.
 *
 * @throws AppError invalid on the field `cursor`, `sort` or `page`
 */
export async function listPage<T extends TenantDocument>(
  collection: TenantCollection<T>,
  query: ListQuery<T>,
): Promise<Page<T> & ReadAt> {
  const { workspaceId, limit, projection } = query;
  const list = listKey(collection.namespace, workspaceId, query.boundTo ?? query.filter ?? {});
  const { order, from } = placeInList(list, query);
  const page = from?.page ?? Math.max(1, query.page ?? 1);
  const skipped = from === undefined ? (page - 1) * limit : 0;
  if (skipped > MAX_COUNT) {
    throw invalid([{ field: "page", message: `skips more than ${MAX_COUNT} records; use cursor instead` }]);
  }

  const all: Filter = { ...query.filter, workspaceId };
  const filter = from === undefined ? all : { $and: [all, after(order, from)], workspaceId };
  const rows = select(collection, filter)
    .sort(driverSort(order))
    .skip(skipped)
    // One more row shows whether a next page exists.
    .limit(limit + 1);
  if (projection !== undefined) rows.project({ ...projection, [order.field]: 1 });
  const [found, total] = await Promise.all([rows.toArray(), totalOf(collection, all, query)]);

  const readAt = from?.readAt ?? (page === 1 ? query.readAt : undefined);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor =
    found.length > limit && last !== undefined
      ? encodeCursor(list, { ...placeOf(order, last), sort: order.sort, page: page + 1, readAt })
      : undefined;
  return { items, page, limit, ...total, nextCursor, readAt };
}

/** `readAt` of the first page, in its answer and in those of the pages that its cursors lead to. */
export type ReadAt = { readAt?: Date | undefined };

type Filter = mongo.BSON.Document;

function placeInList<T>(
  list: string,
  { cursor, sort, sorts = {}, newestFirst }: ListQuery<T>,
): { order: Order; from?: Position } {
  if (!cursor) return { order: requireOrder(sort ?? (newestFirst ? "-id" : "id"), sorts) };
  const from = decodeCursor(list, cursor);
  const order = parseOrder(from.sort, sorts);
  if (order === undefined || (sort ?? from.sort) !== from.sort || !isPlaceIn(order, from))
    throw foreignCursor();
  return { order, from };
}

/** The cast is needed because TypeScript cannot check the driver's filter type for a type parameter. */
function select<T extends TenantDocument>(collection: TenantCollection<T>, filter: Filter) {
  return collection.find<T>(filter as mongo.Filter<T>);
}

async function totalOf<T extends TenantDocument>(
  collection: TenantCollection<T>,
  filter: Filter,
  { total, countKey, countCacheMs = COUNT_CACHE_MS }: ListQuery<T>,
): Promise<Pick<Page<T>, "total" | "totalIsExact">> {
  if (total !== undefined) return { total: await total() };
  // One more record shows whether the count is complete.
  const query = () => collection.countDocuments(filter as mongo.Filter<T>, { limit: MAX_COUNT + 1 });
  const counted = countKey === undefined ? filter : { ...countKey, workspaceId: filter.workspaceId };
  const key = `${collection.namespace} ${mongoose.mongo.BSON.EJSON.stringify(counted)}`;
  const isWhole = Object.keys(filter).length === 1;
  const found = await (isWhole ? query() : collection[counts].count(key, countCacheMs, query));
  return found > MAX_COUNT ? { total: MAX_COUNT, totalIsExact: false } : { total: found };
}
