import { endOfDay, localDate } from "@asset-register/runtime";
import { describe, expect, it, test } from "vitest";
import { afterCompletion, validDueOn, type WorkDoneBy } from "./completion.ts";
import { type DuePlan, nextCalendarDate, nextDueDate } from "./due-date.ts";
import type { Interval, IntervalUnit } from "./interval.ts";

const every = (value: number, unit: IntervalUnit): Interval => ({ value, unit });
const plan = (fields: Partial<DuePlan> = {}): DuePlan => ({
  ...{ basis: "fixed", interval: every(1, "month"), anchorOn: "2026-01-31", calibration: false },
  ...fields,
});
const floating = (fields: Partial<DuePlan> = {}) => plan({ basis: "floating", ...fields });
const completed = (lastCompletedOn: string, lastDueOn?: string) => ({ lastCompletedOn, lastDueOn });

describe("the next date of a fixed schedule", () => {
  it.each([
    ["the first is the anchor", plan(), {}, "2026-01-31"],
    ["month end, then a shorter month", plan(), completed("2026-01-31", "2026-01-31"), "2026-02-28"],
    ["then the anchor's day again", plan(), completed("2026-02-28", "2026-02-28"), "2026-03-31"],
    ["a late completion skips missed dates", plan(), completed("2026-03-05", "2026-01-31"), "2026-03-31"],
    ["a completion on a date skips that date", plan(), completed("2026-02-28", "2026-01-31"), "2026-03-31"],
    ["an early one does not repeat its date", plan(), completed("2026-01-10", "2026-01-31"), "2026-02-28"],
    ["a work without a date counts its day", plan(), completed("2026-02-03"), "2026-02-28"],
    [
      "a leap day each year",
      plan({ anchorOn: "2024-02-29", interval: every(1, "year") }),
      completed("2024-02-29", "2024-02-29"),
      "2025-02-28",
    ],
    [
      "and the leap day in the next leap year",
      plan({ anchorOn: "2024-02-29", interval: every(1, "year") }),
      completed("2027-03-01", "2027-02-28"),
      "2028-02-29",
    ],
    [
      "the day before a leap day stays",
      plan({ anchorOn: "2023-02-28", interval: every(1, "year") }),
      completed("2023-02-28"),
      "2024-02-28",
    ],
    [
      "February of a leap year",
      plan({ anchorOn: "2028-01-31" }),
      completed("2028-01-31", "2028-01-31"),
      "2028-02-29",
    ],
    ["weeks", plan({ interval: every(2, "week") }), completed("2026-01-31", "2026-01-31"), "2026-02-14"],
    [
      "days over a year's end",
      plan({ anchorOn: "2026-12-31", interval: every(1, "day") }),
      completed("2026-12-31", "2026-12-31"),
      "2027-01-01",
    ],
    [
      "an anchor moved behind the completion",
      plan({ anchorOn: "2026-06-15" }),
      completed("2026-03-05"),
      "2026-06-15",
    ],
    ["an asset that joins is due at the next occurrence", plan(), { joinedOn: "2026-03-05" }, "2026-03-31"],
    ["which may be today", plan(), { joinedOn: "2026-03-31" }, "2026-03-31"],
    ["or the anchor, if it is later", plan(), { joinedOn: "2025-12-01" }, "2026-01-31"],
  ] as const)("%s", (_what, schedule, done, expected) => {
    expect(nextCalendarDate(schedule, done)).toBe(expected);
  });
});

describe("the next date of a floating schedule", () => {
  it.each([
    ["the first is an interval after the anchor", floating(), {}, "2026-02-28"],
    ["an interval after the completion", floating(), completed("2026-03-05", "2026-02-28"), "2026-04-05"],
    ["a month end", floating(), completed("2026-03-31"), "2026-04-30"],
    [
      "a leap day plus a year",
      floating({ interval: every(1, "year") }),
      completed("2028-02-29"),
      "2029-02-28",
    ],
    ["an asset that joins", floating(), { joinedOn: "2026-03-05" }, "2026-04-05"],
    ["an asset that joins before the anchor", floating(), { joinedOn: "2026-01-01" }, "2026-02-28"],
  ] as const)("%s", (_what, schedule, done, expected) => {
    expect(nextCalendarDate(schedule, done)).toBe(expected);
  });
});

describe("the next date of a calibration plan", () => {
  it.each(["fixed", "floating"] as const)("%s: first the anchor, then last passed + interval", (basis) => {
    const calibration = plan({ basis, calibration: true });
    expect(nextCalendarDate(calibration, {})).toBe("2026-01-31");
    expect(nextCalendarDate(calibration, completed("2026-03-05", "2026-01-31"))).toBe("2026-04-05");
  });
});

describe("the due date", () => {
  test("the earlier of calendar and meter is due; a meter alone has no date before it is reached", () => {
    const done = completed("2026-01-31", "2026-01-31");
    expect(nextDueDate(plan(), done, "2026-02-10")).toBe("2026-02-10");
    expect(nextDueDate(plan(), done, "2026-03-10")).toBe("2026-02-28");
    const meterAlone = plan({ interval: undefined, anchorOn: undefined });
    expect(nextDueDate(meterAlone, done)).toBeUndefined();
    expect(nextDueDate(meterAlone, done, "2026-03-10")).toBe("2026-03-10");
  });

  test("the calendar has no date without an interval or without an anchor, not after a completion either", () => {
    const done = completed("2026-01-31");
    expect(nextCalendarDate(plan({ interval: undefined }), done)).toBeUndefined();
    expect(nextCalendarDate(floating({ anchorOn: undefined }), done)).toBeUndefined();
  });

  test("ends_on is the last possible date; after it there is none", () => {
    const done = completed("2026-01-31", "2026-01-31");
    expect(nextDueDate(plan({ endsOn: "2026-02-28" }), done)).toBe("2026-02-28");
    expect(nextDueDate(plan({ endsOn: "2026-02-27" }), done)).toBeUndefined();
    expect(nextDueDate(plan({ endsOn: "2026-02-27" }), done, "2026-02-20")).toBe("2026-02-20");
  });

  test("the calendar ends with the year 9999", () => {
    expect(
      nextDueDate(floating({ interval: every(1_000, "year") }), completed("9500-01-01")),
    ).toBeUndefined();
    const daily = plan({ anchorOn: "9999-12-30", interval: every(1, "day") });
    expect(nextDueDate(daily, completed("9999-12-30"))).toBe("9999-12-31");
    expect(nextDueDate(daily, completed("9999-12-31"))).toBeUndefined();
  });
});

describe("the work done", () => {
  const first = { byId: "wo_1", completedOn: "2026-02-02", dueOn: "2026-01-31" };
  const done = afterCompletion({}, first);

  test("an order that is completed again counts with its new date", () => {
    const again: WorkDoneBy = afterCompletion(done, { ...first, completedOn: "2026-02-01" });
    expect(again).toEqual({ lastCompletedOn: "2026-02-01", lastDueOn: "2026-01-31", lastDoneById: "wo_1" });
  });

  test("an older order that is completed again takes nothing back", () => {
    const later = afterCompletion(done, { byId: "wo_2", completedOn: "2026-02-10", dueOn: "2026-02-28" });
    const old = afterCompletion(later, { ...first, completedOn: "2026-02-12" });
    expect(nextCalendarDate(plan(), old)).toBe("2026-03-31");
    expect(afterCompletion(later, { ...first, completedOn: "2026-02-01" })).toEqual(later);
  });

  test("of two orders that are completed on one day the second is the last, and can be corrected", () => {
    const sameDay = afterCompletion(done, { byId: "wo_2", completedOn: first.completedOn });
    expect(sameDay).toEqual({ ...done, lastDoneById: "wo_2" });
    const corrected = afterCompletion(sameDay, { byId: "wo_2", completedOn: "2026-01-15" });
    expect(corrected).toMatchObject({ lastCompletedOn: "2026-01-15" });
  });

  test("an order without a due date keeps the due date of the last completion", () => {
    expect(afterCompletion(done, { byId: "wo_2", completedOn: "2026-02-10" })).toEqual({
      ...{ lastCompletedOn: "2026-02-10", lastDueOn: "2026-01-31", lastDoneById: "wo_2" },
    });
  });
});

describe("the due date of an order", () => {
  test.each([
    ["is the present one", "2026-02-28", "2026-02-28"],
    ["is from before it", "2026-01-31", "2026-01-31"],
    ["is from before a change of the schedule, if it is later", "2026-03-01", undefined],
    ["is absent", undefined, undefined],
  ])("%s", (_case, dueOn, expected) => {
    expect(validDueOn(plan(), completed("2026-01-31", "2026-01-31"), dueOn)).toBe(expected);
  });

  test("counts if the schedule has no date by the calendar", () => {
    expect(validDueOn(plan({ interval: undefined }), {}, "2026-03-01")).toBe("2026-03-01");
  });
});

describe("the workspace's day", () => {
  it.each([
    ["Europe/Berlin", "2026-03-28T22:59:59.999Z", "2026-03-28", "the last moment before the day of 23 hours"],
    ["Europe/Berlin", "2026-03-28T23:00:00.000Z", "2026-03-29", "the day of 23 hours begins"],
    ["Europe/Berlin", "2026-03-29T22:00:00.000Z", "2026-03-30", "and ends an hour earlier"],
    ["Europe/Berlin", "2026-10-25T22:59:59.999Z", "2026-10-25", "the day of 25 hours"],
    ["Europe/Berlin", "2026-10-25T23:00:00.000Z", "2026-10-26", "ends an hour later"],
    [
      "America/Santiago",
      "2026-09-06T03:59:59.999Z",
      "2026-09-05",
      "the last moment before a day without midnight",
    ],
    ["America/Santiago", "2026-09-06T04:00:00.000Z", "2026-09-06", "the day begins at 01:00"],
    ["America/Santiago", "2026-04-05T03:59:59.999Z", "2026-04-04", "the hour before midnight is there twice"],
    ["Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29", "the last moment of 29 December"],
    ["Pacific/Apia", "2011-12-30T10:00:00.000Z", "2011-12-31", "is followed by 31 December"],
  ])("%s at %s is %s: %s", (zone, instant, expected) => {
    expect(localDate(new Date(instant), zone)).toBe(expected);
  });

  test("a date that the zone skipped is due when the next day begins", () => {
    const daily = floating({ interval: every(1, "day") });
    const due = nextDueDate(daily, completed("2011-12-29")) ?? "";
    expect(due).toBe("2011-12-30");
    expect(due <= localDate(endOfDay("2011-12-29", "Pacific/Apia"), "Pacific/Apia")).toBe(false);
    expect(due <= localDate(new Date("2011-12-30T10:00:00Z"), "Pacific/Apia")).toBe(true);
  });

  test("a date is due from the first to the last moment of its day, in each zone, over both clock changes", () => {
    for (const [zone, from] of [
      ["Europe/Berlin", "2026-03-27"],
      ["Europe/Berlin", "2026-10-23"],
      ["America/Santiago", "2026-09-04"],
      ["America/Santiago", "2026-04-03"],
    ] as const) {
      let done = completed(from);
      for (let day = 0; day < 5; day++) {
        const due = nextDueDate(floating({ interval: every(1, "day") }), done) ?? "";
        const begins = endOfDay(done.lastCompletedOn, zone).getTime() + 1;
        expect(localDate(new Date(begins), zone)).toBe(due);
        done = completed(due);
      }
    }
  });
});
