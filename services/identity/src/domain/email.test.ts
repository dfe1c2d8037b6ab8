import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkEmail, emailKey } from "./email.ts";

describe("an email", () => {
  test("names the same account in any case, with any space around it, in any Unicode form", () => {
    expect(emailKey("  Ana.MÜLLER@Example.COM ")).toBe(emailKey("ana.mu\u0308ller@example.com"));
  });

  test("has a key that is its own key, so that storing and looking up agree", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (email) => {
        expect(emailKey(emailKey(email))).toBe(emailKey(email));
      }),
    );
  });

  test("must look like one", () => {
    for (const good of ["a@b.co", "first.last+tag@sub.example.org", "ü@exämple.de"]) {
      expect(checkEmail("email", good)).toEqual([]);
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
      expect(checkEmail("email", bad), bad).toHaveLength(1);
    }
  });
});
