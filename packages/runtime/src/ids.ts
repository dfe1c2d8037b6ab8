import { createHash } from "node:crypto";
import { TypeID, typeidUnboxed } from "typeid-js";

/** The base32 encoding of 128 bits in TypeID: 26 characters, the first is at most 7. */
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Creates an id such as "ast_01h455vb4pex5vsknk084sn02q": prefix and UUIDv7 (TypeID). Ids sort by time. */
export function newId(prefix: string): string {
  return typeidUnboxed(prefix);
}

/**
 * The id of an effect that may be repeated: a UUIDv7 with the time of its cause, whose other bits are a hash of `parts`.
 * So a repeat has the same id, and such ids sort by time among those of newId.
 */
export function deterministicId(prefix: string, at: Date, ...parts: readonly (string | number)[]): string {
  return idAt(prefix, at, createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, 16));
}

/** The lowest id of an instant: ids of later records are above it, as far as clocks agree. */
export const lowestId = (prefix: string, at: Date): string => idAt(prefix, at, Buffer.alloc(16));

/** When an id of `newId` or `deterministicId` was made, or its cause happened. Undefined for another text. */
export function timeOfId(id: string): Date | undefined {
  const prefix = id.slice(0, id.lastIndexOf("_"));
  if (!isId(prefix, id)) return undefined;
  const bytes = Buffer.from(TypeID.fromString(id).toUUIDBytes());
  return new Date(bytes.readUIntBE(0, 6));
}

function idAt(prefix: string, at: Date, bytes: Buffer): string {
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

/** Whether a text has the format of an id with this prefix. A record with this id need not exist. */
export function isId(prefix: string, value: string): boolean {
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(prefix) &&
    value[prefix.length] === "_" &&
    SUFFIX.test(value.slice(prefix.length + 1))
  );
}
