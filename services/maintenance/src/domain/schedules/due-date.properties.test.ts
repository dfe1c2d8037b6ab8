import fc from "fast-check";
import { expect, test } from "vitest";
import { afterCompletion } from "./completion.ts";
import { type DuePlan, nextCalendarDate, nextDueDate } from "./due-date.ts";
import { addDays, addIntervals, firstOccurrenceAfter, type Interval } from "./interval.ts";

const date = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10));
const interval: fc.Arbitrary<Interval> = fc.record({
  value: fc.integer({ min: 1, max: 40 }),
  unit: fc.constantFrom("day", "week", "month", "year"),
});
const plan = (basis: DuePlan["basis"], each: Interval, anchorOn: string, calibration = false): DuePlan => ({
  ...{ basis, interval: each, anchorOn, calibration },
});

test("the first occurrence after a date is the one that a plain walk over all occurrences finds", () => {
  fc.assert(
    fc.property(date, interval, date, (anchor, each, after) => {
      let count = 0;
      while ((addIntervals(anchor, each, count) ?? "x") <= after) count++;
      expect(firstOccurrenceAfter(anchor, each, after)).toBe(addIntervals(anchor, each, count));
    }),
    { numRuns: 60 },
  );
});

test("months keep the anchor's day, or end on the last day of the month", () => {
  fc.assert(
    fc.property(date, fc.integer({ min: 1, max: 600 }), (anchor, months) => {
      const found = addIntervals(anchor, { value: months, unit: "month" }) ?? "";
      const isLastDay = addDays(found, 1)?.endsWith("-01");
      expect(found.slice(8) === anchor.slice(8) || (isLastDay && found.slice(8) < anchor.slice(8))).toBe(
        true,
      );
    }),
  );
});

test("a completion always moves a fixed date on: after its due date and after the completion", () => {
  fc.assert(
    fc.property(date, interval, date, fc.option(date, { nil: undefined }), (anchor, each, on, dueOn) => {
      const next = nextCalendarDate(plan("fixed", each, anchor), { lastCompletedOn: on, lastDueOn: dueOn });
      expect(next === undefined || (next > on && next > (dueOn ?? ""))).toBe(true);
    }),
  );
});

test("an asset that joins is never overdue at once, and no due date is after ends_on", () => {
  const basis = fc.constantFrom("fixed" as const, "floating" as const);
  fc.assert(
    fc.property(basis, interval, date, date, date, fc.boolean(), (how, each, anchor, today, endsOn, cal) => {
      const schedule = { ...plan(how, each, anchor, cal), endsOn };
      const due = nextDueDate(schedule, { joinedOn: today });
      expect(due === undefined || (due >= today && due <= endsOn)).toBe(true);
    }),
  );
});

test("the last completion is the latest of all, in whatever order different orders are completed", () => {
  fc.assert(
    fc.property(fc.array(date, { minLength: 1, maxLength: 6 }), (dates) => {
      const done = dates.reduce(
        (before, completedOn, index) => afterCompletion(before, { byId: `wo_${index}`, completedOn }),
        {},
      );
      expect(done).toMatchObject({ lastCompletedOn: dates.toSorted().at(-1) });
    }),
  );
});
