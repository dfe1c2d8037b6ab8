import type { Page, PageQuery } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { mongo } from "mongoose";
import type { TenantCollection, TenantDocument } from "./guard/collection.ts";
import { isPlaceIn, type Order, parseOrder, placeOf, requireOrder, type Sorts } from "./list-order.ts";
import { MAX_COUNT, totalOf } from "./list-total.ts";
import { type ListPlan, readRows } from "./list-ways.ts";
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
  /** How the list is read in the order of a field. Without it, the server chooses an index. */
  plan?: ((field: string) => Promise<ListPlan>) | undefined;
};

/** The server chooses the index. */
const unplanned: Pick<ListPlan, "ways"> = { ways: [{}] };

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

  const plan = await query.plan?.(order.field);
  // One more row shows whether a next page exists.
  const asked = {
    workspaceId,
    filter: query.filter ?? {},
    order,
    from,
    skipped,
    limit: limit + 1,
    projection,
  };
  const { rows, isFull } = await readRows(collection, plan ?? unplanned, asked);
  const total = await totalOf(collection, {
    ...query,
    ...{ filter: { ...query.filter, workspaceId }, plan, shown: skipped + rows.length },
    // Behind the end, and after a cursor, the page does not show how many records are before it.
    isLast: !isFull && from === undefined && (rows.length > 0 || skipped === 0),
  });

  const readAt = from?.readAt ?? (page === 1 ? query.readAt : undefined);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const nextCursor =
    isFull && last !== undefined
      ? encodeCursor(list, { ...placeOf(order, last), sort: order.sort, page: page + 1, readAt })
      : undefined;
  return { items, page, limit, ...total, nextCursor, readAt };
}

/** `readAt` of the first page, in its answer and in those of the pages that its cursors lead to. */
export type ReadAt = { readAt?: Date | undefined };

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
