import { expect, test } from "vitest";
import { mailDelayAfter } from "./retry.ts";

const HOUR = 3_600_000;

test("the delays grow from 5 s to 2 h, each +-20 %", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) => mailDelayAfter(attempt, 0, 0.5));
  expect(delays).toEqual([5000, 20_000, 80_000, 320_000, 1_280_000, 5_120_000, 2 * HOUR]);
  expect([mailDelayAfter(1, 0, 0), mailDelayAfter(1, 0, 1)]).toEqual([4000, 6000]);
});

test("a mail is given up when the next attempt would be later than 24 h", () => {
  expect(mailDelayAfter(9, 22 * HOUR, 0.5)).toBe(2 * HOUR);
  expect(mailDelayAfter(9, 22 * HOUR + 1, 0.5)).toBeUndefined();
});
