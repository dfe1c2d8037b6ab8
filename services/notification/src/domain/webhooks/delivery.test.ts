import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { delayAfter, hasFailedTooLong, parseRetryAfter, resultOf } from "./delivery.ts";

const HOUR = 3_600_000;
const schedule = [5_000, 300_000, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const now = new Date("2026-01-01T00:00:00.000Z");

describe("delayAfter", () => {
  test("ten attempts have the nine documented waits between them", () => {
    expect(schedule.map((_, index) => delayAfter(index + 1, 0.5))).toEqual(schedule);
    expect(delayAfter(10, 0.5)).toBeUndefined();
  });

  test("jitter is at most a fifth of the delay", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const nominal = schedule[attempt - 1]!;
          const delay = delayAfter(attempt, random)!;
          expect(delay).toBeGreaterThanOrEqual(nominal * 0.8 - 1);
          expect(delay).toBeLessThanOrEqual(nominal * 1.2 + 1);
        },
      ),
    );
  });

  test("Retry-After is followed between once and twice the delay", () => {
    expect(delayAfter(1, 0, 0)).toBe(5_000);
    expect(delayAfter(1, 0, 7_000)).toBe(7_000);
    expect(delayAfter(1, 0, 3_600_000)).toBe(10_000);
    expect(delayAfter(10, 0, 1_000)).toBeUndefined();
  });
});

test.each([
  [200, "delivered"],
  [204, "delivered"],
  [299, "delivered"],
  [301, "retry"],
  [308, "retry"],
  [400, "retry"],
  [404, "retry"],
  [410, "gone"],
  [429, "retry"],
  [500, "retry"],
  [199, "retry"],
])("an answer of %i is %s", (status, expected) => {
  expect(resultOf({ status, excerpt: "", durationMs: 1 })).toBe(expected);
});

test("an attempt without an answer is retried", () => {
  expect(resultOf({ error: "timed out", durationMs: 15_000 })).toBe("retry");
});

describe("parseRetryAfter", () => {
  test.each([
    ["120", 120_000],
    [" 5 ", 5_000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["2026-01-01", undefined],
    ["9999999999999", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j means %j ms", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  test("is never negative and never throws, for any text", () => {
    fc.assert(fc.property(fc.string(), (text) => (parseRetryAfter(text, now) ?? 0) >= 0));
  });
});

test("an endpoint has failed too long after five days in which every attempt failed", () => {
  expect(hasFailedTooLong(new Date(now.getTime() - 5 * 24 * HOUR + 1), now)).toBe(false);
  expect(hasFailedTooLong(new Date(now.getTime() - 5 * 24 * HOUR), now)).toBe(true);
});
