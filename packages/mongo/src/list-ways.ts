import type { mongo } from "mongoose";
import type { TenantCollection, TenantDocument } from "./guard/collection.ts";
import { after, driverSort, type Last, type Order } from "./list-order.ts";

type Filter = mongo.BSON.Document;

/** A way to read a list. All ways find the same records: they differ in what they cost. */
export type ListWay = {
  /** The name of the index. Without it the server chooses one, and of many indexes it tries each for long. */
  hint?: string | undefined;
  /** Conditions that select what the filter of the list selects, where the index serves them better. */
  filter?: Filter | undefined;
  /**
   * Looks at most at so many records, in the order of the list, of those that `range` selects. The index has that order
   * and begins with what `range` has. If the page is not full then, the next way reads it.
   */
  scan?: { most: number; range: Filter } | undefined;
  /** Whether the index has all conditions and the order: then the server sorts its entries, and reads only the page. */
  idsFirst?: boolean | undefined;
};

/** How a list is read. */
export type ListPlan = {
  /** They are tried in turn. A function finds a way when it is its turn, because that takes queries itself. */
  ways: readonly (ListWay | (() => Promise<ListWay | undefined>))[];
  /** How the total is counted. With a `scan` it is not exact: the count ends after so many records of the range. */
  total: ListWay | (() => Promise<ListWay>);
};

/** The place and the size of a page. */
export type Rows = {
  workspaceId: string;
  filter: Filter;
  order: Order;
  from: Last | undefined;
  skipped: number;
  limit: number;
  projection: Filter | undefined;
};

/** The server skips entries of an index faster than records, and entries of a few pages cost nothing. */
const DEEP = 1_000;

/** `isFull` if there are as many as the page asked for. A record that is removed meanwhile is missing in the rows. */
export type FoundRows<T> = { rows: T[]; isFull: boolean };

/** Reads the rows of a page by the first way that finds all of them. */
export async function readRows<T extends TenantDocument>(
  collection: TenantCollection<T>,
  { ways }: Pick<ListPlan, "ways">,
  page: Rows,
): Promise<FoundRows<T>> {
  for (const next of ways) {
    const way = typeof next === "function" ? await next() : next;
    if (way === undefined) continue;
    if (!way.scan && (way.idsFirst || page.skipped >= DEEP)) return findIdsFirst(collection, way, page);
    // A way that looks at fewer records than the page skips cannot find the page.
    if (way.scan && page.skipped + page.limit > way.scan.most) continue;
    const rows = way.scan ? await scan(collection, way, way.scan, page) : await find(collection, way, page);
    const isFull = rows.length === page.limit;
    if (isFull || !way.scan) return { rows, isFull };
  }
  throw new Error(NO_COMPLETE_WAY);
}

/** The first way that finds all records of the list, for a reader of all of them. */
export async function completeWay({ ways }: Pick<ListPlan, "ways">): Promise<ListWay> {
  for (const next of ways) {
    const way = typeof next === "function" ? await next() : next;
    if (way !== undefined && !way.scan) return way;
  }
  throw new Error(NO_COMPLETE_WAY);
}

const NO_COMPLETE_WAY = "the last way to read a list must have no bound";

async function find<T extends TenantDocument>(
  collection: TenantCollection<T>,
  { hint, filter }: ListWay,
  { workspaceId, order, from, skipped, limit, projection, ...list }: Rows,
): Promise<T[]> {
  return select(collection, withCursor(workspaceId, filter ?? list.filter, order, from), {
    ...{ sort: driverSort(order), skip: skipped, limit },
    ...(hint !== undefined && { hint }),
    ...(projection && { projection: { ...projection, [order.field]: 1 } }),
  });
}

/** Finds the ids of the page in the index, and then its records. */
async function findIdsFirst<T extends TenantDocument>(
  collection: TenantCollection<T>,
  way: ListWay,
  page: Rows,
): Promise<FoundRows<T>> {
  const { workspaceId, order, projection } = page;
  const places = await find(collection, way, { ...page, projection: { _id: 1 } });
  const ids = places.map(({ _id }) => _id);
  const found = await select(
    collection,
    { workspaceId, _id: { $in: ids } },
    { hint: { _id: 1 }, ...(projection && { projection: { ...projection, [order.field]: 1 } }) },
  );
  const byId = new Map(found.map((row) => [row._id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), isFull: ids.length === page.limit };
}

async function scan<T extends TenantDocument>(
  collection: TenantCollection<T>,
  { hint, filter }: ListWay,
  { most, range }: { most: number; range: Filter },
  { workspaceId, order, from, skipped, limit, projection, ...list }: Rows,
): Promise<T[]> {
  const stages = [
    { $match: withCursor(workspaceId, range, order, from) },
    { $sort: driverSort(order) },
    { $limit: most },
    { $match: filter ?? list.filter },
    { $skip: skipped },
    { $limit: limit },
    ...(projection ? [{ $project: { ...projection, [order.field]: 1 } }] : []),
  ];
  return collection
    .aggregate<T>(
      stages.filter((stage) => !("$skip" in stage) || skipped > 0),
      hint === undefined ? {} : { hint },
    )
    .toArray();
}

function withCursor(workspaceId: string, filter: Filter, order: Order, from: Last | undefined): Filter {
  return from === undefined
    ? { ...filter, workspaceId }
    : { $and: [filter, after(order, from)], workspaceId };
}

/** The cast is needed because TypeScript cannot check the driver's filter type for a type parameter. */
function select<T extends TenantDocument>(
  collection: TenantCollection<T>,
  filter: Filter,
  options: mongo.FindOptions,
): Promise<T[]> {
  return collection.find<T>(filter as mongo.Filter<T>, options).toArray();
}
