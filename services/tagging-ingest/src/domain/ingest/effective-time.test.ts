import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { effectiveTime, skewOfEvent, skewOfRequest } from "./effective-time.ts";

describe("effective time", () => {
  it("corrects a wrong clock, but not delay and rounding", () => {
    expect(effectiveTime(100_000, 200_000, 60_000)).toBe(40_000);
    expect(effectiveTime(100_000, 200_000, -60_000)).toBe(160_000);
    expect(effectiveTime(100_000, 200_000, 1_000)).toBe(100_000);
  });

  it("is never after receipt, for any time of the reader", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer(), (ts, receivedAt, skew) => {
        expect(effectiveTime(ts, receivedAt, skew)).toBeLessThanOrEqual(receivedAt);
      }),
    );
  });

  it("the skew of an event is never negative, because it may have waited; the skew of a request can be", () => {
    expect(skewOfEvent(1_000, 61_000)).toBe(0);
    expect(skewOfEvent(61_000, 1_000)).toBe(60_000);
    expect(skewOfRequest(100, 100_500)).toBe(0);
    expect(skewOfRequest(40, 100_500)).toBe(-60_000);
  });
});
