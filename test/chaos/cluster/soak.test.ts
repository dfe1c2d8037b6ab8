import { expect, test } from "vitest";
import { type Growth, isUnexplained } from "./soak.ts";

const growth = (quantity: Growth["quantity"], start: number, middle: number, end: number): Growth => ({
  ...{ what: "register-1", quantity, start, middle, end },
});

test.each([
  ["memory that was taken in the first half", growth("memory MiB", 200, 400, 410), false],
  ["memory that grows on", growth("memory MiB", 200, 300, 400), true],
  ["handles that come and go", growth("handles", 90, 110, 100), false],
  ["handles that are never closed", growth("handles", 90, 190, 290), true],
  ["a lag that comes", growth("lag s", 0, 1, 60), true],
  ["rows that come with the load", growth("rows", 1_000, 2_000, 3_100), false],
  ["rows that come faster and faster", growth("rows", 1_000, 2_000, 4_000), true],
  ["rows of a list that was empty until the middle", growth("rows", 0, 0, 1_000), true],
])("%s", (_, amounts, expected) => {
  expect(isUnexplained(amounts)).toBe(expected);
});
