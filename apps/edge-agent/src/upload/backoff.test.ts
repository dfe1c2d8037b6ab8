import { expect, test } from "vitest";
import { createBackoff } from "./backoff.ts";

test("pauses are doubled up to the maximum, and begin again after a success", () => {
  const backoff = createBackoff(500, 3000, () => 1);
  expect([backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([500, 1000, 2000, 3000]);
  backoff.reset();
  expect(backoff.next()).toBe(500);
});

test("a pause has at least half of its length", () => {
  expect(createBackoff(500, 3000, () => 0).next()).toBe(250);
});
