import type { PageQuery } from "@asset-register/rpc";
import type { mongo } from "mongoose";
import type { TenantDocument } from "./guard/collection.ts";
import type { Mongo } from "./mongo.ts";
import { decodeCursor, encodeCursor, foreignCursor, listKey } from "./page-cursor.ts";

/** One collection of a list, such as that of a day, and the times of its records: at `from` or later, and before `until`. */
export type ListPart = { collection: string; from: Date; until: Date };

export type PartsQuery<T> = {
  /** The name of the list. With workspace and `boundTo`, a cursor is valid only for it. */
  list: string;
  workspaceId: string;
  /** Conditions that an index begins with. The sort field and `_id` follow in it. With `idAt`, they need no index. */
  filter: mongo.Filter<T>;
  boundTo: object;
  /** The field with the time by which the list is sorted. */
  field: string;
  /** If ids are in the order of the list: the least id that a record of this time can have. */
  idAt?: ((time: Date) => string) | undefined;
  /** Records at `from` or later, and before `to`. */
  from: Date;
  to: Date;
  /** The newest first. The times of two parts may overlap. */
  parts: readonly ListPart[];
  page: Pick<PageQuery, "limit" | "cursor">;
};

/** Parts that are read at once after the first, which mostly has the whole page. */
const READ_TOGETHER = 8;

/**
 * One page of a list whose records are in several collections, the newest first; the id breaks ties. It reads parts from
 * the newest back until the page is full: at most one record more than the page of each, and of a part without records
 * of the filter only its index.
 *
 * @throws AppError invalid on the field `cursor`
 */
export async function listParts<T extends TenantDocument>(
  mongo: Mongo,
  { list, workspaceId, filter, boundTo, field, idAt, from, to, parts, page }: PartsQuery<T>,
): Promise<{ items: T[]; nextCursor?: string | undefined }> {
  const { limit } = page;
  const key = listKey(list, workspaceId, boundTo);
  const sort = `-${field}`;
  const last = page.cursor ? decodeCursor(key, page.cursor) : undefined;
  if (last && (last.sort !== sort || !(last.value instanceof Date))) throw foreignCursor();
  const lastAt = last?.value instanceof Date ? last.value : undefined;
  const timeOf = (row: T): number => {
    const value = (row as Readonly<Record<string, unknown>>)[field];
    return value instanceof Date ? value.getTime() : 0;
  };

  const end = lastAt && lastAt < to ? lastAt : to;
  /** Each is read in the order of one range of the index. */
  const older = idAt
    ? { range: { _id: { $gte: idAt(from), $lt: last?.id ?? idAt(to) } }, order: { _id: -1 } as const }
    : { range: { [field]: { $gte: from, $lt: end } }, order: { [field]: -1, _id: -1 } as const };
  const ties = last && { range: { [field]: lastAt, _id: { $lt: last.id } }, order: { _id: -1 } as const };
  const read = (part: ListPart): Promise<T[][]> => {
    const hasTies = !idAt && lastAt !== undefined && part.from <= lastAt && lastAt < part.until;
    return Promise.all(
      (ties && hasTies ? [older, ties] : [older]).map(({ range, order }) =>
        mongo
          .collection<T>(part.collection)
          // The cast is needed because TypeScript cannot check the driver's filter type for a type parameter.
          .find<T>({ ...filter, ...range, workspaceId } as unknown as mongo.Filter<T>)
          .sort(order)
          .limit(limit + 1)
          .toArray(),
      ),
    );
  };

  let waiting = parts.filter((part) => part.until > from && part.from <= end);
  const rows: T[] = [];
  /** Whether no record of the parts that wait belongs to the page. */
  const isFull = (): boolean => {
    const beyond = rows[limit];
    return beyond !== undefined && waiting.every(({ until }) => until.getTime() <= timeOf(beyond));
  };
  for (let together = 1; waiting.length > 0 && !isFull(); together = READ_TOGETHER) {
    const found = await Promise.all(waiting.slice(0, together).map(read));
    waiting = waiting.slice(together);
    rows.push(...found.flat(2));
    rows.sort((one, other) => timeOf(other) - timeOf(one) || (one._id < other._id ? 1 : -1));
  }

  const items = rows.slice(0, limit);
  const shown = items.at(-1);
  const nextCursor =
    rows.length > limit && shown !== undefined
      ? encodeCursor(key, {
          sort,
          page: (last?.page ?? 1) + 1,
          id: shown._id,
          value: new Date(timeOf(shown)),
        })
      : undefined;
  return { items, nextCursor };
}
