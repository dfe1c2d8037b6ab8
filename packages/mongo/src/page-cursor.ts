import { createHash } from "node:crypto";
import { type AppError, invalid } from "@asset-register/runtime";
import mongoose from "mongoose";
import type { Last, SortValue } from "./list-order.ts";

/** The position after a page. */
export type Position = Last & {
  /** The sort of the list, as in a request. */
  sort: string;
  /** The number of the next page. */
  page: number;
  /** The database's time before the first page was read. */
  readAt?: Date | undefined;
};

/** Most ids have 30 characters. The longest have a workspace and the code of a tag: 155. */
const MAX_ID = 192;

/** Identifies a list: its collection, workspace and filter. */
export function listKey(namespace: string, workspaceId: string, filter: object): string {
  const text = mongoose.mongo.BSON.EJSON.stringify([namespace, workspaceId, filter]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

/** Encodes the position after a page of a list as an opaque text. */
export function encodeCursor(list: string, { sort, page, id, value, readAt }: Position): string {
  const parts = [list, sort, page, id, encodeValue(value), encodeValue(readAt)];
  return Buffer.from(JSON.stringify(parts), "utf8").toString("base64url");
}

/**
 * Decodes a cursor of a list.
 *
 * @throws AppError invalid on the field `cursor` unless encodeCursor created it for this list
 */
export function decodeCursor(list: string, cursor: string): Position {
  const position = parse(cursor);
  // The decoder ignores unknown characters, so only the exact encoding of the position is accepted.
  if (position === undefined || encodeCursor(list, position) !== cursor) throw foreignCursor();
  return position;
}

/** A cursor of another list, workspace, filter or sort. */
export const foreignCursor = (): AppError =>
  invalid([{ field: "cursor", message: "is not a cursor of this list with this filter and sort" }]);

function parse(cursor: string): Position | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [, sort, page, id, value, readAt]: unknown[] = parts;
  if (typeof sort !== "string" || typeof id !== "string" || id === "" || id.length > MAX_ID) return undefined;
  if (typeof page !== "number" || !Number.isInteger(page) || page < 1) return undefined;
  const first = decodeValue(readAt);
  return { sort, page, id, value: decodeValue(value), ...(first instanceof Date && { readAt: first }) };
}

/** A date is a list: as a text its type would be lost. */
function encodeValue(value: SortValue | undefined): unknown {
  return value instanceof Date ? [value.getTime()] : (value ?? null);
}

/** Only texts, numbers and dates: an object could be an operator of the query. */
function decodeValue(value: unknown): SortValue | undefined {
  if (typeof value === "string" || typeof value === "number") return value;
  const [time]: unknown[] = Array.isArray(value) ? value : [];
  return typeof time === "number" ? new Date(time) : undefined;
}
