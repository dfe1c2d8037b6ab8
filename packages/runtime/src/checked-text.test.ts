import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkedText, isCheckedText } from "./checked-text.ts";

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("the same random bytes give the same text with 36 digits after its prefix, which isCheckedText accepts", () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const text = checkedText("ab_", random);
      expect(text).toMatch(/^ab_[0-9A-Za-z]{36}$/);
      expect(checkedText("ab_", random)).toBe(text);
      expect(isCheckedText("ab_", text)).toBe(true);
    }),
  );
});

test("a text with one changed character is refused", () => {
  const text = checkedText("ab_", randomBytes(32));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 1 }), fc.constantFrom(..."0Az9_-"), (at, other) => {
      fc.pre(text[at] !== other);
      expect(isCheckedText("ab_", text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
    }),
  );
});

test("a text with another prefix or another length is refused", () => {
  const text = checkedText("ab_", randomBytes(32));
  expect(isCheckedText("cd_", text)).toBe(false);
  expect(isCheckedText("ab_", `${text}0`)).toBe(false);
  expect(isCheckedText("ab_", text.slice(0, -1))).toBe(false);
  expect(isCheckedText("ab_", "")).toBe(false);
});
