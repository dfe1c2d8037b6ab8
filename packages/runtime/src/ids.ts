import { typeidUnboxed } from "typeid-js";

/** The base32 encoding of 128 bits in TypeID: 26 characters, the first is at most 7. */
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Creates an id such as "ast_01h455vb4pex5vsknk084sn02q": prefix and UUIDv7 (TypeID). Ids sort by time. */
export function newId(prefix: string): string {
  return typeidUnboxed(prefix);
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
