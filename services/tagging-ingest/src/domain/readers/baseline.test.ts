import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Baseline,
  expectedReads,
  firstMissing,
  hasBaseline,
  hourOfWeekIn,
  newBaseline,
  withHours,
} from "./baseline.ts";

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const [DAY_MS, WEEK_MS] = [24 * HOUR_MS, 168 * HOUR_MS];
/** A Monday, 0 h. */
const MONDAY = Date.UTC(2026, 10, 2);
const utc = hourOfWeekIn("UTC");
const reader = { id: "rdr_1", workspaceId: "wsp_1", createdAt: new Date(MONDAY) };

const after = (weeks: number) => new Date(MONDAY + weeks * WEEK_MS);
/** Reads of the first hour of each week. */
const mondays = (...reads: number[]) => reads.map((accepted, week) => ({ at: after(week), accepted }));

test("the hour of the week begins on Monday at 0 h by the clock of the workspace, also in summer and with half hours", () => {
  expect(utc(MONDAY)).toBe(0);
  expect(utc(MONDAY + HOUR_MS - 1)).toBe(0);
  expect(utc(MONDAY + WEEK_MS - 1)).toBe(167);
  expect(hourOfWeekIn("Europe/Berlin")(MONDAY)).toBe(1);
  expect(hourOfWeekIn("Europe/Berlin")(Date.UTC(2026, 6, 6))).toBe(2);
  expect(hourOfWeekIn("America/New_York")(MONDAY)).toBe(163);
  expect(hourOfWeekIn("Asia/Kolkata")(MONDAY)).toBe(5);
});

test("four weeks are averaged, and each later one counts for a quarter", () => {
  const mean = (...reads: number[]) => {
    const until = after(reads.length);
    // Week by week, as the sweep takes them.
    const taken = reads.reduce(
      (baseline, _, week) => withHours(baseline, { hours: mondays(...reads), until: after(week + 1) }, utc),
      newBaseline(reader),
    );
    expect(taken.takenUntil).toEqual(until);
    return taken.means[0];
  };
  expect(mean(600)).toBeCloseTo(10);
  expect(mean(600, 0)).toBeCloseTo(5);
  expect(mean(600, 600, 600, 1_800)).toBeCloseTo(15);
  expect(mean(600, 600, 600, 600, 3_000)).toBeCloseTo(20);
});

test("an hour without events is an hour without reads", () => {
  const { means, weeks } = withHours(newBaseline(reader), { hours: mondays(60), until: after(2) }, utc);
  expect(means.slice(0, 2)).toEqual([0.5, 0]);
  expect(new Set(weeks)).toEqual(new Set([2]));
});

test("a baseline begins with the first whole hour of its reader, and takes at most four weeks at once", () => {
  const late = newBaseline({ ...reader, createdAt: new Date(MONDAY + 1) });
  expect(late.takenUntil).toEqual(new Date(MONDAY + HOUR_MS));
  expect(firstMissing(late, after(3))).toEqual(late.takenUntil);
  expect(firstMissing(late, after(9))).toEqual(after(5));
});

test("a reader has a baseline from two weeks on", () => {
  expect(hasBaseline(reader, new Date(MONDAY + 14 * DAY_MS - 1))).toBe(false);
  expect(hasBaseline(reader, new Date(MONDAY + 14 * DAY_MS))).toBe(true);
});

test("what is expected of 15 minutes that span two hours is taken from both", () => {
  const means = Array.from({ length: 168 }, (_, hour) => hour);
  const from = MONDAY + 3 * HOUR_MS - 5 * MINUTE_MS;
  expect(expectedReads({ means }, { from, to: from + 15 * MINUTE_MS }, utc)).toBe(5 * 2 + 10 * 3);
});

const counts = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 400 });
const rowsOf = (reads: readonly number[]) =>
  reads.map((accepted, hour) => ({ at: new Date(MONDAY + hour * HOUR_MS), accepted }));

test("however the hours are cut into sweeps, and however often one is repeated, the baseline is the same", () => {
  fc.assert(
    fc.property(counts, fc.array(fc.nat(400), { maxLength: 10 }), (reads, cuts) => {
      const hours = rowsOf(reads);
      const until = (hour: number) => new Date(MONDAY + Math.min(hour, reads.length) * HOUR_MS);
      const take = (baseline: Baseline, hour: number) =>
        withHours(baseline, { hours, until: until(hour) }, utc);
      const whole = take(newBaseline(reader), reads.length);
      const cut = [...cuts, reads.length].reduce(take, newBaseline(reader));
      expect(cut).toEqual(whole);
      expect(take(cut, reads.length)).toBe(cut);
    }),
  );
});

test("a mean is never outside of what was observed", () => {
  fc.assert(
    fc.property(counts, (reads) => {
      const { means } = withHours(
        newBaseline(reader),
        { hours: rowsOf(reads), until: new Date(MONDAY + reads.length * HOUR_MS) },
        utc,
      );
      const most = Math.max(...reads) / 60;
      for (const mean of means) {
        expect(mean).toBeGreaterThanOrEqual(-1e-9);
        expect(mean).toBeLessThanOrEqual(most + 1e-9);
      }
    }),
  );
});
