import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  addDays,
  addMonths,
  addMonthsToDate,
  dayNumber,
  daysBetween,
  daysIn,
  earlier,
  fiscalMonth,
  fiscalQuarter,
  fiscalYearOf,
  isFirstDay,
  later,
  monthIndex,
  periodAt,
  periodOf,
  yearMonth,
} from "./period.ts";

test("a period is a number of months, and that number is the period again", () => {
  expect(monthIndex("0000-01")).toBe(0);
  expect(monthIndex("2027-03")).toBe(2027 * 12 + 2);
  expect(yearMonth("2027-03")).toEqual({ year: 2027, month: 3 });
  fc.assert(fc.property(fc.nat({ max: 119_999 }), (index) => monthIndex(periodAt(index)) === index));
  expect(periodAt(11)).toBe("0000-12");
  expect([addMonths("2026-12", 1), addMonths("2027-01", -1)]).toEqual(["2027-01", "2026-12"]);
});

test("the earlier and the later of two, of which one may be absent", () => {
  expect([later("2027-01", "2027-02"), later("2027-02", "2027-01"), later("2027-01", undefined)]).toEqual([
    ...["2027-02", "2027-02", "2027-01"],
  ]);
  expect([
    earlier("2027-01", "2027-02"),
    earlier("2027-02", "2027-01"),
    earlier("2027-01", undefined),
  ]).toEqual(["2027-01", "2027-01", "2027-01"]);
});

describe("dates", () => {
  it.each([
    ["2027-01-31", 1, "2027-02-28"],
    ["2028-01-31", 1, "2028-02-29"],
    ["2027-01-31", 2, "2027-03-31"],
    ["2027-12-05", 1, "2028-01-05"],
    ["2024-02-29", 12, "2025-02-28"],
  ])("%s and %s months are %s", (date, months, expected) => {
    expect(addMonthsToDate(date, months)).toBe(expected);
  });

  it("days are counted over months and leap years", () => {
    expect([dayNumber("1970-01-01"), dayNumber("1970-02-01"), dayNumber("1969-12-31")]).toEqual([0, 31, -1]);
    expect(daysBetween("2028-02-01", "2028-03-01")).toBe(29);
    expect([daysIn("2027-02"), daysIn("2028-02"), daysIn("2027-12")]).toEqual([28, 29, 31]);
    expect([addDays("2027-02-28", 1), addDays("2027-03-01", -1)]).toEqual(["2027-03-01", "2027-02-28"]);
    expect([isFirstDay("2027-03-01"), isFirstDay("2027-03-11"), isFirstDay("2027-01-02")]).toEqual([
      ...[true, false, false],
    ]);
    expect(periodOf("2027-03-11")).toBe("2027-03");
  });
});

describe("a fiscal year that begins in July", () => {
  it.each([
    ["2027-06", "2026-07", 12, 4],
    ["2027-07", "2027-07", 1, 1],
    ["2027-09", "2027-07", 3, 1],
    ["2027-10", "2027-07", 4, 2],
    ["2028-01", "2027-07", 7, 3],
  ])("%s is in that of %s: month %s, quarter %s", (period, year, month, quarter) => {
    expect(fiscalYearOf(period, 7)).toBe(year);
    expect([fiscalMonth(period, 7), fiscalQuarter(period, 7)]).toEqual([month, quarter]);
  });

  it("that begins in January is the calendar year", () => {
    expect([fiscalYearOf("2027-12", 1), fiscalMonth("2027-12", 1)]).toEqual(["2027-01", 12]);
  });
});
