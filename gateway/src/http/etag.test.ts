import { requireRev } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNamed, revsOf, tagOf } from "./etag.ts";

const rev = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const answer = fc.string();
/** What may stand between the quotes of a tag, commas too. */
const opaque = fc.stringMatching(/^[\x21\x23-\x7e\x80-\xff]{0,20}$/);

/** A tag as a caller may have it, and the rev that it names, if it is one of ours. */
const ours = fc.tuple(rev, answer).map(([rev, text]): Named => ({ tag: tagOf(rev, text), rev }));
const weak = ours.map(({ tag }): Named => ({ tag: `W/${tag}`, rev: undefined }));
const foreign = opaque
  .filter((text) => !/^[1-9]\d*\./.test(text))
  .map((text): Named => ({ tag: `"${text}"`, rev: undefined }));

type Named = { tag: string; rev: number | undefined };

const separator = fc.constantFrom(",", ", ", " ,\t", ",,", ", , ");
const list = fc
  .tuple(fc.array(fc.oneof(ours, weak, foreign), { minLength: 1, maxLength: 5 }), separator)
  .map(([tags, separator]) => ({ header: tags.map(({ tag }) => tag).join(separator), tags }));

/** What a service does with what the gateway makes of If-Match. */
function changes(header: string | undefined, current: number): boolean {
  try {
    requireRev(current, revsOf(header));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "PRECONDITION_FAILED" });
    return false;
  }
}

describe("If-Match", () => {
  test("holds if and only if it is absent, *, or names the record's rev, whatever was embedded", () => {
    fc.assert(
      fc.property(list, rev, ({ header, tags }, other) => {
        const named = tags.flatMap(({ rev }) => rev ?? []);
        for (const current of [...named, other]) {
          expect(changes(header, current)).toBe(named.includes(current));
        }
      }),
    );
    expect([changes(undefined, 1), changes("*", 1)]).toEqual([true, true]);
  });

  test.each(["", " ", ",", "7.abc", '"7.abc', 'w/"7.abc"', '*, "7.abc"', '"7.a" "8.b"', '"a b"', "**"])(
    "%j is no list of tags, and says so rather than being passed over",
    (header) => {
      expect(() => revsOf(header)).toThrow(expect.objectContaining({ code: "MALFORMED" }));
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
  ])("%s is not ours", (tag) => {
    expect(revsOf(tag)).toEqual([0]);
  });

  test("may be as long as headers may be", () => {
    expect(revsOf('"7.a",'.repeat(2_700))).toEqual(Array(2_700).fill(7));
    for (const header of [`"7.a"${" ,".repeat(8_000)}x`, '"'.repeat(16_001)]) {
      expect(() => revsOf(header)).toThrow(expect.objectContaining({ code: "MALFORMED" }));
    }
  });
});

describe("If-None-Match", () => {
  test("names an answer by the whole of its tag, weak or not", () => {
    fc.assert(
      fc.property(list, rev, answer, ({ header, tags }, current, text) => {
        const tag = tagOf(current, text);
        const known = tags.some((one) => one.tag.replace(/^W\//, "") === tag);
        expect(isNamed(header, tag)).toBe(known);
        for (const one of [tag, `W/${tag}`]) {
          expect(isNamed(`${header}, ${one}`, tag)).toBe(true);
          expect(isNamed(one, tagOf(current, `${text}.`))).toBe(false);
        }
      }),
    );
    expect(isNamed("*", '"7.abc"')).toBe(true);
  });

  test("that is no list of tags names nothing", () => {
    expect(isNamed("7.abc", '"7.abc"')).toBe(false);
  });
});
