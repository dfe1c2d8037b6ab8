import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emailKey, isEmail } from "./email.ts";

describe("an email", () => {
  test("has the same key in any case, with any space around it and in any Unicode form", () => {
    expect(emailKey("  Ana.MÜLLER@Example.COM ")).toBe(emailKey("ana.mu\u0308ller@example.com"));
  });

  test("has a key that is its own key, so a stored key and a looked-up key agree", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (email) => {
        expect(emailKey(emailKey(email))).toBe(emailKey(email));
      }),
    );
  });

  test("must have the shape of an email address", () => {
    for (const good of ["a@b.co", "first.last+tag@sub.example.org", "ü@exämple.de"]) {
      expect(isEmail(good), good).toBe(true);
    }
    for (const bad of [
      "",
      "a",
      "a@b",
      "a b@c.de",
      "a@b..de",
      "a@@b.de",
      "a@b.de.",
      `${"x".repeat(65)}@b.de`,
    ]) {
      expect(isEmail(bad), bad).toBe(false);
    }
  });
});
