import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfDay, isCalendarDate, localDate, localDateIn } from "./calendar.ts";

const zones = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Chatham",
);
const instants = fc.date({ min: new Date("1970-01-02"), max: new Date("2060-01-01"), noInvalidDate: true });
const dates = instants.map((date) => date.toISOString().slice(0, 10));

// sv-SE writes a date as ISO 8601 does: another way to it than the code under test takes.
const localDateBySweden = (instant: number, timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(instant);

describe("endOfDay", () => {
  it.each([
    ["a plain day", "2026-03-10", "UTC", "2026-03-10T23:59:59.999Z"],
    ["east of UTC", "2026-07-01", "Asia/Kathmandu", "2026-07-01T18:14:59.999Z"],
    ["a day of 23 hours", "2026-03-29", "Europe/Berlin", "2026-03-29T21:59:59.999Z"],
    ["a day of 25 hours", "2026-10-25", "Europe/Berlin", "2026-10-25T22:59:59.999Z"],
    ["a day after which midnight is skipped", "2018-11-03", "America/Sao_Paulo", "2018-11-04T02:59:59.999Z"],
    ["the day before a date that the zone skipped", "2011-12-29", "Pacific/Apia", "2011-12-30T09:59:59.999Z"],
    ["a date that the zone skipped", "2011-12-30", "Pacific/Apia", "2011-12-30T09:59:59.999Z"],
    ["the last day of all", "9999-12-31", "UTC", "9999-12-31T23:59:59.999Z"],
    ["the last day of all east of UTC", "9999-12-31", "Asia/Kathmandu", "9999-12-31T18:14:59.999Z"],
    ["the last day of all west of UTC", "9999-12-31", "America/New_York", "9999-12-31T23:59:59.999Z"],
    ["leap day", "2028-02-29", "America/New_York", "2028-03-01T04:59:59.999Z"],
  ])("is the last millisecond of %s", (_what, date, zone, expected) => {
    expect(endOfDay(date, zone).toISOString()).toBe(expected);
  });

  it("is within the date, and the next millisecond is not, in any zone on any day", () => {
    fc.assert(
      fc.property(dates, zones, (date, zone) => {
        fc.pre(!(zone === "Pacific/Apia" && date === "2011-12-30"));
        const end = endOfDay(date, zone).getTime();
        expect(localDateBySweden(end, zone)).toBe(date);
        expect(localDateBySweden(end + 1, zone) > date).toBe(true);
      }),
    );
  });
});

describe("isCalendarDate", () => {
  it("accepts what a calendar holds, in one form only", () => {
    fc.assert(fc.property(dates, (date) => isCalendarDate(date)));
    expect(isCalendarDate("1900-01-01")).toBe(true);
    for (const wrong of [
      "2026-02-29",
      "2026-13-01",
      "2026-00-10",
      "2026-1-1",
      "1899-12-31",
      "",
      "2026-01-01T00:00:00Z",
    ])
      expect(isCalendarDate(wrong)).toBe(false);
  });
});

describe("localDate", () => {
  it.each([
    ["2026-03-28T22:59:59.999Z", "Europe/Berlin", "2026-03-28"],
    ["2026-03-28T23:00:00.000Z", "Europe/Berlin", "2026-03-29"],
    ["2026-03-29T04:00:00.000Z", "America/New_York", "2026-03-29"],
    ["0987-06-05T12:00:00.000Z", "UTC", "0987-06-05"],
  ])("%s in %s is %s", (instant, zone, expected) => {
    expect(localDate(new Date(instant), zone)).toBe(expected);
  });

  it("is the date that another locale writes, with one formatter for many instants", () => {
    fc.assert(
      fc.property(zones, fc.array(instants), (zone, many) => {
        const dateOf = localDateIn(zone);
        for (const instant of many) expect(dateOf(instant)).toBe(localDateBySweden(instant.getTime(), zone));
      }),
    );
  });
});
