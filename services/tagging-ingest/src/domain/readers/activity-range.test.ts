import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activityRange, HOUR_MS, MINUTE_MS } from "./activity-range.ts";

const now = new Date("2026-11-26T09:30:20.500Z");
const before = (ms: number, at = now) => new Date(at.getTime() - ms);
const refusal = (message: string) =>
  expect.objectContaining({ code: "VALIDATION_FAILED", violations: [{ field: "from", message }] });

describe("the range of a reader's activity", () => {
  it("is the longest time until now, in minutes, when nothing is given", () => {
    expect(activityRange({}, now)).toEqual({
      ...{ step: "minute", from: new Date("2026-11-25T09:30:00.000Z"), to: now },
    });
    expect(activityRange({ step: "hour" }, now)).toEqual({
      ...{ step: "hour", from: new Date("2026-10-26T09:00:00.000Z"), to: now },
    });
  });

  it("begins with the step that contains `from`", () => {
    expect(activityRange({ from: before(MINUTE_MS) }, now).from).toEqual(
      new Date("2026-11-26T09:29:00.000Z"),
    );
    const from = new Date("2026-11-26T09:00:00.000Z");
    expect(activityRange({ step: "hour", from }, now).from).toEqual(from);
  });

  it("has a beginning before its end, and one request asks for 24 hours or 31 days", () => {
    expect(() => activityRange({ from: now }, now)).toThrow(refusal("must be before to"));
    expect(() => activityRange({ from: now, to: before(1) }, now)).toThrow(refusal("must be before to"));
    const day = 24 * HOUR_MS;
    expect(() => activityRange({ from: before(day + 1) }, now)).toThrow(
      refusal("must be at most 24 hours before to"),
    );
    expect(() => activityRange({ step: "hour", from: before(31 * day + 1) }, now)).toThrow(
      refusal("must be at most 31 days before to"),
    );
  });

  it("never has more than 1,441 steps, of which the first begins at most one step before `from`", () => {
    const step = fc.constantFrom("minute" as const, "hour" as const);
    fc.assert(
      fc.property(step, fc.integer({ min: 1, max: 24 * HOUR_MS }), (each, length) => {
        const given = before(length);
        const { from, to } = activityRange({ step: each, from: given }, now);
        const stepMs = each === "minute" ? MINUTE_MS : HOUR_MS;
        expect(from.getTime() % stepMs).toBe(0);
        expect(given.getTime() - from.getTime()).toBeLessThan(stepMs);
        expect((to.getTime() - from.getTime()) / stepMs).toBeLessThanOrEqual(1_441);
      }),
    );
  });
});
