import { expect, test } from "vitest";
import { checkPassword, needsRehash, passwordCost } from "./password.ts";

test("a password is judged by its length and must not be the email address", () => {
  expect(checkPassword("password", "twelve chars", "a@b.co")).toEqual([]);
  expect(checkPassword("password", "eleven char", "a@b.co")).toHaveLength(1);
  expect(checkPassword("password", "x".repeat(1_000), "a@b.co")).toEqual([]);
  expect(checkPassword("password", "x".repeat(1_001), "a@b.co")).toHaveLength(1);
  // In characters, of which this one is two units of UTF-16.
  expect(checkPassword("password", "𝄞".repeat(11), "a@b.co")).toHaveLength(1);
  expect(checkPassword("password", "𝄞".repeat(1_000), "a@b.co")).toEqual([]);
  expect(checkPassword("password", "𝄞".repeat(1_001), "a@b.co")).toHaveLength(1);
  expect(checkPassword("password", "ANA@example.org", "ana@example.org")).toHaveLength(1);
});

test("a hash made at other work factors is due for renewal, in either direction", () => {
  expect(needsRehash(passwordCost)).toBe(false);
  expect(needsRehash({ ...passwordCost, memoryCost: 65_536 })).toBe(true);
  expect(needsRehash({ ...passwordCost, timeCost: 1 })).toBe(true);
  expect(needsRehash({ ...passwordCost, parallelism: 4 })).toBe(true);
});
