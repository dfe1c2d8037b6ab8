import type { Page, PageQuery } from "@asset-register/rpc";
import mongoose, { type mongo } from "mongoose";
import { counts, type TenantCollection, type TenantDocument } from "./guard/collection.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";

export type ListQuery<T> = Partial<PageQuery> & {
  workspaceId: string;
  filter?: mongo.Filter<T> | undefined;
  limit: number;
  projection?: mongo.BSON.Document | undefined;
  /** Sorts in descending order of ids. */
  newestFirst?: boolean | undefined;
  /** Cache time of the total of a filtered list. Default: 5 s. The total of an unfiltered list is not cached. */
  countCacheMs?: number | undefined;
};

const COUNT_CACHE_MS = 5_000;

/**
 * Reads one page of the records of a workspace in order of id. An id begins with the time of its creation, so
 * new records do not shift pages and cursors.
 *
 * @throws AppError invalid on the field `cursor` if it is malformed
 */
export async function listPage<T extends TenantDocument>(
  collection: TenantCollection<T>,
  query: ListQuery<T>,
): Promise<Page<T>> {
  const { limit, cursor, projection } = query;
  const page = Math.max(1, query.page ?? 1);
  const from = cursor ? decodeCursor(cursor) : undefined;
  const all: Filter = { ...query.filter, workspaceId: query.workspaceId };
  const next = query.newestFirst ? { $lt: from } : { $gt: from };
  const after: Filter = { $and: [all, { _id: next }], workspaceId: query.workspaceId };
  const rows = select(collection, from === undefined ? all : after)
    .sort({ _id: query.newestFirst ? -1 : 1 })
    .skip(from === undefined ? (page - 1) * limit : 0)
    // One more row shows whether a next page exists.
    .limit(limit + 1);
  if (projection !== undefined) rows.project(projection);
  const [found, total] = await Promise.all([rows.toArray(), countAll(collection, all, query)]);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? encodeCursor(last._id) : undefined;
  return { items, page, limit, total, nextCursor };
}

type Filter = mongo.BSON.Document;

/** The cast is needed because TypeScript cannot check the driver's filter type for a type parameter. */
function select<T extends TenantDocument>(collection: TenantCollection<T>, filter: Filter) {
  return collection.find<T>(filter as mongo.Filter<T>);
}

function countAll<T extends TenantDocument>(
  collection: TenantCollection<T>,
  filter: Filter,
  { countCacheMs = COUNT_CACHE_MS }: ListQuery<T>,
): Promise<number> {
  const query = () => collection.countDocuments(filter as mongo.Filter<T>);
  if (Object.keys(filter).length === 1) return query();
  const key = `${collection.namespace} ${mongoose.mongo.BSON.EJSON.stringify(filter)}`;
  return collection[counts].count(key, countCacheMs, query);
}
