import { typeidUnboxed } from "typeid-js";

/** TypeID's base32 of 128 bits: 26 characters, the first at most 7. */
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** A new id such as "ast_01h455vb4pex5vsknk084sn02q": prefix and UUIDv7 (TypeID), in order of time. */
export function newId(prefix: string): string {
  return typeidUnboxed(prefix);
}

/** Whether a text is an id of this prefix; says nothing of whether it exists. */
export function isId(prefix: string, value: string): boolean {
  return (
    value.length === prefix.length + 27 &&
    value.startsWith(prefix) &&
    value[prefix.length] === "_" &&
    SUFFIX.test(value.slice(prefix.length + 1))
  );
}
