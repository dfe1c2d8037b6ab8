import { requireRev } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { etagOf, matchesEtag, parseIfMatch } from "./etag.ts";

const rev = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const response = fc.string();
/** Any text that is allowed between the quotes of a tag, commas included. */
const opaque = fc.stringMatching(/^[\x21\x23-\x7e\x80-\xff]{0,20}$/);

/** A tag that a caller may send. `rev` is undefined when the tag is weak or foreign. */
type SentTag = { tag: string; rev: number | undefined };

const own = fc.tuple(rev, response).map(([rev, text]): SentTag => ({ tag: etagOf(rev, text), rev }));
const weak = own.map(({ tag }): SentTag => ({ tag: `W/${tag}`, rev: undefined }));
const foreign = opaque
  .filter((text) => !/^[1-9]\d*\./.test(text))
  .map((text): SentTag => ({ tag: `"${text}"`, rev: undefined }));

const separator = fc.constantFrom(",", ", ", " ,\t", ",,", ", , ");
const list = fc
  .tuple(fc.array(fc.oneof(own, weak, foreign), { minLength: 1, maxLength: 5 }), separator)
  .map(([tags, separator]) => ({ header: tags.map(({ tag }) => tag).join(separator), tags }));

/** Whether a service makes the change, given the revs that the gateway read from If-Match. */
function isChanged(header: string | undefined, current: number): boolean {
  try {
    requireRev(current, parseIfMatch(header));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "PRECONDITION_FAILED" });
    return false;
  }
}

describe("If-Match", () => {
  test("If-Match matches if it is absent, *, or lists the rev of the record, and never otherwise", () => {
    fc.assert(
      fc.property(list, rev, ({ header, tags }, other) => {
        const listed = tags.flatMap(({ rev }) => rev ?? []);
        for (const current of [...listed, other]) {
          expect(isChanged(header, current)).toBe(listed.includes(current));
        }
      }),
    );
    expect([isChanged(undefined, 1), isChanged("*", 1)]).toEqual([true, true]);
  });

  test.each(["", " ", ",", "7.abc", '"7.abc', 'w/"7.abc"', '*, "7.abc"', '"7.a" "8.b"', '"a b"', "**"])(
    "the If-Match header %j is not a list of tags: MALFORMED, never ignored",
    (header) => {
      expect(() => parseIfMatch(header)).toThrow(expect.objectContaining({ code: "MALFORMED" }));
    },
  );

  test.each([
    '"7"',
    '"07.abc"',
    '"-7.abc"',
    '"0.abc"',
    '"7,8"',
    '"seven.abc"',
    `"${"9".repeat(30)}.abc"`,
    '""',
  ])("the foreign tag %s matches no rev", (tag) => {
    expect(parseIfMatch(tag)).toEqual([0]);
  });

  test("an If-Match header of 16 KiB is read, also when it is malformed", () => {
    expect(parseIfMatch('"7.a",'.repeat(2_700))).toEqual(Array(2_700).fill(7));
    for (const header of [`"7.a"${" ,".repeat(8_000)}x`, '"'.repeat(16_001)]) {
      expect(() => parseIfMatch(header)).toThrow(expect.objectContaining({ code: "MALFORMED" }));
    }
  });
});

describe("If-None-Match", () => {
  test("If-None-Match matches a response by its whole tag, weak or strong", () => {
    fc.assert(
      fc.property(list, rev, response, ({ header, tags }, current, text) => {
        const tag = etagOf(current, text);
        const known = tags.some((one) => one.tag.replace(/^W\//, "") === tag);
        expect(matchesEtag(header, tag)).toBe(known);
        for (const one of [tag, `W/${tag}`]) {
          expect(matchesEtag(`${header}, ${one}`, tag)).toBe(true);
          expect(matchesEtag(one, etagOf(current, `${text}.`))).toBe(false);
        }
      }),
    );
    expect(matchesEtag("*", '"7.abc"')).toBe(true);
  });

  test("an If-None-Match header that is not a list of tags matches nothing", () => {
    expect(matchesEtag("7.abc", '"7.abc"')).toBe(false);
  });
});
