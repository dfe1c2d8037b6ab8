import fc from "fast-check";
import { expect, test } from "vitest";
import { cutText } from "./cut-text.ts";

const upTo = (length: number) => (text: string) => [...text].length <= length;

test("a text that fits stays; a longer one is cut with an ellipsis, without a space before it", () => {
  expect(cutText("Drill 18 V", upTo(10))).toBe("Drill 18 V");
  expect(cutText("Drill 18 V, yellow", upTo(10))).toBe("Drill 18…");
  expect(cutText("Лестница раздвижная", upTo(9))).toBe("Лестница…");
  expect(cutText("two\r\nlines", upTo(20))).toBe("two lines");
  expect(cutText("x".repeat(5), upTo(0))).toBe("");
});

test("a character of several code points is never cut in two", () => {
  expect(cutText("🧑🏽‍🔧🧑🏽‍🔧🧑🏽‍🔧", upTo(7))).toBe("🧑🏽‍🔧…");
  expect(cutText("e\u0301e\u0301e\u0301", upTo(4))).toBe("e\u0301…");
});

test("the result always fits, and is the text or one of its beginnings", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, length) => {
      const cut = cutText(text, upTo(length));
      expect(upTo(length)(cut)).toBe(true);
      const plain = text.replace(/\p{Cc}+/gu, " ").trim();
      if (cut.endsWith("…") && cut !== plain) expect(plain.startsWith(cut.slice(0, -1))).toBe(true);
      else expect([plain, ""]).toContain(cut);
    }),
  );
});
