import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  dropAt,
  fitsBetween,
  type MeterPoint,
  meterLimit,
  meterState,
  readingAtLimit,
  unitsBetween,
} from "./meter.ts";

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

/** Readings on consecutive days. A value in brackets starts a new count. */
function readings(...values: (number | [number])[]): MeterPoint[] {
  const points: MeterPoint[] = [];
  for (const [index, entry] of values.entries()) {
    const reset = Array.isArray(entry);
    const value = reset ? entry[0] : entry;
    const dropped = reset ? dropAt(value, points.at(-1)) : undefined;
    points.push({ value, readAt: at(index + 1), dropped });
  }
  return points;
}

const drops = (points: MeterPoint[]) => points.slice(1).map(({ dropped = 0 }) => dropped);

describe("the meter limit", () => {
  it.each([
    ["completed at 5,000, interval 500", readings(5_000), 5_500],
    ["reset at 5,200 to 0", readings(5_000, 5_200, [0]), 300],
    ["a new meter that begins at 20", readings(5_000, 5_200, [20]), 320],
    ["two resets", readings(5_000, 5_200, [0], 100, [0]), 200],
    ["a new meter that begins higher", readings(100, [1_000]), 1_500],
    ["passed before the reset", readings(5_000, 5_900, [0]), 0],
  ])("%s: %#", (_what, points, expected) => {
    expect(meterLimit(points[0]?.value ?? 0, 500, drops(points))).toBe(expected);
  });

  it.each([
    ["not reached", readings(5_000, 5_499.999), undefined],
    ["reached exactly", readings(5_000, 5_499.999, 5_500, 5_600), 3],
    ["reached after a reset", readings(5_000, 5_200, [0], 299, 300), 5],
    ["no readings", [], undefined],
    ["decimals", readings(0.1, 0.2, 500.1), 3],
  ])("%s", (_what, points, day) => {
    expect(readingAtLimit(points, 500)?.readAt).toEqual(day === undefined ? undefined : at(day));
  });

  it("is not changed by a reset at the reading from which the units count", () => {
    const points = readings(5_000, [0], 499.999, 500);
    expect(readingAtLimit(points.slice(1), 500)?.readAt).toEqual(at(4));
  });
});

describe("the state of a meter", () => {
  const points = readings(1_000, 1_200, [0], 300, 700);

  it.each([
    ["the first reading without a completion", undefined, points[0], 300, at(4)],
    ["the reading at the time of the completion", at(2), points[1], 500, at(5)],
    ["the last reading before the completion", new Date(at(4).getTime() - 1), points[2], 500, at(5)],
    ["the first reading after the completion, if none is before it", at(0), points[0], 300, at(4)],
    ["the last reading, if the completion is later", at(9), points[4], 1_200, undefined],
  ])("counts from %s", (_case, from, base, nextDueMeter, reachedAt) => {
    expect(meterState(points, 500, from)).toEqual({ base, nextDueMeter, reachedAt });
  });

  it("is absent without readings", () => {
    expect(meterState([], 500, undefined)).toBeUndefined();
    expect(meterState([], 500, at(1))).toBeUndefined();
  });
});

test("the first reading of a meter drops nothing, even if it starts a new count", () => {
  expect(dropAt(20, undefined)).toBe(0);
});

test("a reading lies between its neighbours; one that starts a new count does not bound those before it", () => {
  const [low, high] = [{ value: 10 }, { value: 20 }];
  expect(fitsBetween(9.999, low, high)).toBe(false);
  expect(fitsBetween(20.001, low, high)).toBe(false);
  for (const value of [10, 15, 20]) expect(fitsBetween(value, low, high)).toBe(true);
  expect(fitsBetween(999, low, { value: 0, dropped: 10 })).toBe(true);
  expect(fitsBetween(0, undefined, undefined)).toBe(true);
});

test("units are the sum of all rises, whatever resets are in between", () => {
  const step = fc.oneof(
    fc.record({ rise: fc.integer({ min: 0, max: 9_999 }) }),
    fc.record({ reset: fc.integer({ min: 0, max: 9_999 }) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 }), fc.array(step, { maxLength: 12 }), (start, steps) => {
      let [value, used] = [start, 0];
      const found: number[] = [];
      for (const one of steps) {
        if ("rise" in one) [value, used] = [value + one.rise, used + one.rise];
        else {
          found.push(dropAt(one.reset / 1_000, { value: value / 1_000 }));
          value = one.reset;
        }
      }
      expect(unitsBetween(start / 1_000, value / 1_000, found)).toBe(used / 1_000);
    }),
  );
});
