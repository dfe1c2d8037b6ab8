import { invalid } from "@asset-register/runtime";

/** Most ids have 30 characters. Also the longest, those of reader events, are shorter than this. */
const MAX_ID = 128;

/** Encodes the id of the last record of a page as an opaque text. */
export function encodeCursor(id: string): string {
  return Buffer.from(id, "utf8").toString("base64url");
}

/**
 * Decodes the id of a cursor.
 *
 * @throws AppError invalid on the field `cursor` unless encodeCursor created it
 */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  // The decoder ignores unknown characters, so only the exact encoding of the id is accepted.
  if (id === "" || id.length > MAX_ID || encodeCursor(id) !== cursor) {
    throw invalid([{ field: "cursor", message: "is not a cursor of this list" }]);
  }
  return id;
}
