import { hash } from "node:crypto";
import { malformed } from "../errors.ts";

/** One tag of RFC 9110, 8.8.3; Node gives headers as Latin-1. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const LIST = new RegExp(String.raw`^[ \t,]*${TAG}(?:[ \t]*,[ \t,]*${TAG})*[ \t,]*$`);
const EACH = new RegExp(TAG, "g");
const OURS = /^"([1-9]\d{0,9})\./;
/** A rev is a uint32 in messages. */
const MAX_REV = 2 ** 32 - 1;

/** The ETag of an answer that is one record: `"<rev>.<hash of the answer>"`. */
export function tagOf(rev: number, answer: string): string {
  return `"${rev}.${hash("sha1", answer, "base64url").slice(0, 16)}"`;
}

/**
 * The revs that If-Match names, of any of which the record has to be; undefined
 * when it says nothing or `*`, since what is changed has to exist anyway. A tag
 * that is weak or not ours is of rev 0, which no record has.
 *
 * @throws AppError MALFORMED for what is no list of tags
 */
export function revsOf(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch === "*") return undefined;
  const tags = tagsOf(ifMatch);
  if (tags.length === 0) throw malformed("If-Match must be * or a list of ETags, each in its double quotes");
  return tags.map(revOf);
}

function revOf(tag: string): number {
  const rev = Number(OURS.exec(tag)?.[1] ?? 0);
  return rev <= MAX_REV ? rev : 0;
}

/** Whether If-None-Match names the answer's tag, by the weak comparison of RFC 9110, 13.1.2. */
export function isNamed(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch === "*" || tagsOf(ifNoneMatch).some((one) => one.replace(/^W\//, "") === tag);
}

const tagsOf = (list: string): string[] => (LIST.test(list) ? (list.match(EACH) ?? []) : []);
