import { invalid } from "@asset-register/runtime";

/** Ids are 30 characters; a reader event's, the longest, has less than this too. */
const MAX_ID = 128;

/** The opaque text that names the last record of a page. */
export function encodeCursor(id: string): string {
  return Buffer.from(id, "utf8").toString("base64url");
}

/** @throws AppError invalid on the field `cursor` unless encodeCursor wrote it */
export function decodeCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString("utf8");
  // Decoders skip what they don't know: only the text that this id encodes to is accepted.
  if (id === "" || id.length > MAX_ID || encodeCursor(id) !== cursor) {
    throw invalid([{ field: "cursor", message: "is not a cursor of this list" }]);
  }
  return id;
}
