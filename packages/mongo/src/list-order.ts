import { invalid } from "@asset-register/runtime";
import type { mongo } from "mongoose";

/**
 * The names by which a list can be sorted, each with its field in the documents: `{ updated_at: "updatedAt" }`. All
 * documents have a text, a number or a date in the field. "id" needs no entry.
 */
export type Sorts = Readonly<Record<string, string>>;

/** An order of a list. The id breaks ties, in the same direction. */
export type Order = { sort: string; field: string; direction: 1 | -1 };

/** The value of the field that a list is sorted by. */
export type SortValue = string | number | Date;

/** The last record of a page. */
export type Last = { id: string; value?: SortValue | undefined };

const ID = "_id";

/** Parses "name" or "-name"; undefined if the list has no such sort. */
export function parseOrder(sort: string, sorts: Sorts): Order | undefined {
  const direction = sort.startsWith("-") ? -1 : 1;
  const name = direction === -1 ? sort.slice(1) : sort;
  const field = name === "id" ? ID : Object.hasOwn(sorts, name) ? sorts[name] : undefined;
  return field === undefined ? undefined : { sort, field, direction };
}

/**
 * Parses the sort of a request.
 *
 * @throws AppError invalid on the field `sort` if the list has no such sort
 */
export function requireOrder(sort: string, sorts: Sorts): Order {
  const order = parseOrder(sort, sorts);
  if (order !== undefined) return order;
  const names = ["id", ...Object.keys(sorts)].join(", ");
  throw invalid([{ field: "sort", message: `must be one of ${names}, or - and one of them` }]);
}

/** The sort of the driver. */
export function driverSort({ field, direction }: Order): mongo.Sort {
  return field === ID ? { [ID]: direction } : { [field]: direction, [ID]: direction };
}

/** The condition that selects the records after a record. Each part of it is a range of the index of the order. */
export function after({ field, direction }: Order, { id, value }: Last): mongo.BSON.Document {
  const beyond = (limit: unknown) => (direction === 1 ? { $gt: limit } : { $lt: limit });
  if (field === ID) return { [ID]: beyond(id) };
  return { $or: [{ [field]: beyond(value) }, { [field]: value, [ID]: beyond(id) }] };
}

/** The place of a document in an order. */
export function placeOf(
  { field }: Order,
  document: Readonly<Record<string, unknown>> & { _id: string },
): Last {
  if (field === ID) return { id: document._id };
  const value = document[field];
  if (typeof value === "string" || typeof value === "number" || value instanceof Date) {
    return { id: document._id, value };
  }
  throw new Error(`${document._id} has no value in ${field}, by which its list is sorted`);
}

/** Whether a record is described well enough for `after`. */
export const isPlaceIn = ({ field }: Order, { value }: Last): boolean => field === ID || value !== undefined;
