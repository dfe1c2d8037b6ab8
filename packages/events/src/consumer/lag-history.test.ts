import { expect, test } from "vitest";
import { createLagHistory, firstUnhandled } from "./lag-history.ts";

test("the age grows while nobody handles the records, and counts from the oldest unhandled one", () => {
  const lag = createLagHistory();
  expect(lag(0, 10n, 10n)).toEqual({ records: 0, seconds: 0 });
  expect(lag(15_000, 10n, 12n)).toEqual({ records: 2, seconds: 0 });
  expect(lag(30_000, 10n, 20n)).toEqual({ records: 10, seconds: 15 });
  expect(lag(60_000, 10n, 20n)).toEqual({ records: 10, seconds: 45 });
  // Those up to 12 are handled: the oldest left was seen at 30 s.
  expect(lag(75_000, 12n, 20n)).toEqual({ records: 8, seconds: 45 });
  expect(lag(90_000, 20n, 20n)).toEqual({ records: 0, seconds: 0 });
});

test("a stop of a week keeps the first time, in bounded memory", () => {
  const lag = createLagHistory();
  const looks = 40_000;
  let last = lag(0, 0n, 1n);
  for (let look = 1; look <= looks; look += 1) last = lag(look * 15_000, 0n, BigInt(look + 1));
  expect(last).toEqual({ records: looks + 1, seconds: looks * 15 });
});

test("a partition that was never committed, or whose committed records are gone, begins at its oldest record", () => {
  expect(firstUnhandled({ partition: 0, offset: "-1" }, "7")).toBe(7n);
  expect(firstUnhandled({ partition: 0, offset: "3" }, "7")).toBe(7n);
  expect(firstUnhandled({ partition: 0, offset: "9" }, "7")).toBe(9n);
});
