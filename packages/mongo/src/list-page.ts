import type { Page, PageQuery } from "@asset-register/rpc";
import mongoose, { type mongo } from "mongoose";
import { counts, type TenantCollection, type TenantDocument } from "./guard/collection.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";

export type ListQuery<T> = Partial<PageQuery> & {
  workspaceId: string;
  filter?: mongo.Filter<T> | undefined;
  limit: number;
  projection?: mongo.BSON.Document | undefined;
  /** In the reverse order of ids. */
  newestFirst?: boolean | undefined;
  /** How long the total of a filtered list may be kept; 5 s by default. That of a whole list is not kept. */
  countCacheMs?: number | undefined;
};

const COUNT_CACHE_MS = 5_000;

/**
 * One page of a workspace's records in order of id, so that pages and cursors stay where they are while
 * records are added. An id begins with the time of its creation.
 * @throws AppError invalid on the field `cursor` when it is malformed
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
    // One more tells whether there is a next page.
    .limit(limit + 1);
  if (projection !== undefined) rows.project(projection);
  const [found, total] = await Promise.all([rows.toArray(), countAll(collection, all, query)]);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? encodeCursor(last._id) : undefined;
  return { items, page, limit, total, nextCursor };
}

type Filter = mongo.BSON.Document;

/** The driver's type of a filter can't be shown to hold for a type that is not known yet. */
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
