import { expect, test } from "vitest";
import { createBackoff } from "./backoff.ts";
import { createPauses } from "./pauses.ts";

const pauses = () =>
  createPauses(
    createBackoff(500, 30_000, () => 1),
    () => 0,
  );

test("requests that fail together count as one failure", () => {
  const all = pauses();
  all.unavailable(1000, 900, undefined);
  all.unavailable(1010, 905, undefined);
  expect(all.until()).toBe(1500);
  all.unavailable(2000, 1500, undefined);
  expect(all.until()).toBe(3000);
});

test("Retry-After is waited for when it is longer than the backoff", () => {
  const all = pauses();
  all.unavailable(1000, 900, 7000);
  expect(all.until()).toBe(8000);
});

test("a 429 pauses for its Retry-After, and for a second without one", () => {
  const all = pauses();
  all.limited(1000, undefined);
  expect(all.until()).toBe(2000);
  all.limited(1000, 5000);
  expect(all.until()).toBe(6000);
});

test("a success ends the growth of the pauses", () => {
  const all = pauses();
  for (const at of [1000, 5000, 10_000]) all.unavailable(at, at - 10, undefined);
  all.available();
  all.unavailable(20_000, 19_990, undefined);
  expect(all.until()).toBe(20_500);
});
