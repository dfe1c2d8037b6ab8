import type { Page, PageQuery } from "@asset-register/rpc";
import { decodeCursor, encodeCursor, foreignCursor, listKey } from "./page-cursor.ts";

/** The place of a row: by `value`, and by `id` for ties, as texts are compared. */
export type RowPlace = { value: string; id: string };

type RowList<T> = {
  /** The name of the list. With workspace and filter, a cursor is valid only for it. */
  list: string;
  workspaceId: string;
  filter: object;
  page: PageQuery;
  /** Undefined for the one row that comes last. */
  placeOf(row: T): RowPlace | undefined;
};

const SORT = "place";

/**
 * One page of rows that were computed and are in the order of their places. Rows that are added between two pages
 * shift neither of them.
 *
 * @throws AppError invalid on the field `cursor`
 */
export function pageOfRows<T>(rows: readonly T[], query: RowList<T>): Page<T> {
  const { page: asked, placeOf } = query;
  const { limit } = asked;
  const list = listKey(query.list, query.workspaceId, query.filter);
  const from = asked.cursor ? decodeCursor(list, asked.cursor) : undefined;
  if (from && (from.sort !== SORT || typeof from.value !== "string")) throw foreignCursor();
  const page = from?.page ?? asked.page;
  const first = from
    ? rows.findIndex((row) => isAfter(placeOf(row), { value: String(from.value), id: from.id }))
    : (page - 1) * limit;
  const items = first < 0 ? [] : rows.slice(first, first + limit);
  const last = items.at(-1);
  const place = last === undefined ? undefined : placeOf(last);
  const nextCursor =
    place && first + limit < rows.length
      ? encodeCursor(list, { ...place, sort: SORT, page: page + 1 })
      : undefined;
  return { items, page, limit, total: rows.length, nextCursor };
}

function isAfter(place: RowPlace | undefined, from: RowPlace): boolean {
  if (place === undefined) return true;
  return place.value > from.value || (place.value === from.value && place.id > from.id);
}
