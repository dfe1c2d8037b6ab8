import { hash } from "node:crypto";
import { malformed } from "../errors.ts";

/** One entity tag of RFC 9110, 8.8.3. Node decodes headers as Latin-1. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const LIST = new RegExp(String.raw`^[ \t,]*${TAG}(?:[ \t]*,[ \t,]*${TAG})*[ \t,]*$`);
const EACH = new RegExp(TAG, "g");
const OWN_TAG = /^"([1-9]\d{0,9})\./;
/** A rev is a uint32 in messages. */
const MAX_REV = 2 ** 32 - 1;

/** The ETag of a response that is one record: `"<rev>.<hash of the response>"`. */
export function etagOf(rev: number, response: string): string {
  return `"${rev}.${hash("sha1", response, "base64url").slice(0, 16)}"`;
}

/**
 * The revs in an If-Match header: the record must have one of them. Undefined, which is no condition, for an absent
 * header and for `*`: the record to change must exist in any case. A weak or foreign tag becomes rev 0, which no
 * record has.
 *
 * @throws AppError MALFORMED when the header is not a list of tags
 */
export function parseIfMatch(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch === "*") return undefined;
  const tags = tagsIn(ifMatch);
  if (tags.length === 0) throw malformed("If-Match must be * or a list of ETags, each in double quotes.");
  return tags.map(revOf);
}

function revOf(tag: string): number {
  const rev = Number(OWN_TAG.exec(tag)?.[1] ?? 0);
  return rev <= MAX_REV ? rev : 0;
}

/** Whether If-None-Match lists `etag`, by the weak comparison of RFC 9110, 13.1.2. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch === "*" || tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, "") === etag);
}

const tagsIn = (list: string): string[] => (LIST.test(list) ? (list.match(EACH) ?? []) : []);
