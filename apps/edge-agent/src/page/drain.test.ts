import { expect, test } from "vitest";
import { createDrain } from "./drain.ts";

function drained(...rows: number[]): number | undefined {
  let now = 0;
  const drain = createDrain(() => now);
  for (const count of rows) {
    drain.sample(count);
    now += 5_000;
  }
  return drain.endsInMs();
}

test("the end of the backlog follows from how fast it shrinks", () => {
  expect(drained(10_000, 9_000, 8_000)).toBe(40_000);
});

test("the end is unknown while the backlog grows, and before there are two samples", () => {
  expect(drained(1000, 1000)).toBeUndefined();
  expect(drained(1000, 2000)).toBeUndefined();
  expect(drained(1000)).toBeUndefined();
});
