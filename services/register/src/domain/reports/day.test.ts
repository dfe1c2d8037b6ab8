import { localDate } from "@asset-register/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOf, firstKeptDate, lastEndedDay } from "./day.ts";

const at = (text: string) => new Date(text);

describe("dayOf()", () => {
  it("a day is that of the time zone", () => {
    expect(dayOf(at("2026-03-01T23:30:00Z"), "Europe/Berlin")).toEqual({
      ...{ date: "2026-03-02", from: at("2026-03-01T23:00:00.000Z") },
      until: at("2026-03-02T22:59:59.999Z"),
    });
    expect(dayOf(at("2026-03-01T04:30:00Z"), "America/New_York").date).toBe("2026-02-28");
  });

  it("a day has 23 or 25 hours when the clocks change", () => {
    const hours = ({ from, until }: { from: Date; until: Date }) =>
      (until.getTime() + 1 - from.getTime()) / 3_600_000;
    expect(hours(dayOf(at("2026-03-29T12:00:00Z"), "Europe/Berlin"))).toBe(23);
    expect(hours(dayOf(at("2026-10-25T12:00:00Z"), "Europe/Berlin"))).toBe(25);
  });

  it("the day after a date that the zone skipped begins when the one before has ended", () => {
    // Samoa had no 2011-12-30.
    const day = dayOf(at("2011-12-30T12:00:00Z"), "Pacific/Apia");
    expect(day).toMatchObject({ date: "2011-12-31", from: at("2011-12-30T10:00:00.000Z") });
    expect(lastEndedDay(at("2011-12-30T12:00:00Z"), "Pacific/Apia").date).toBe("2011-12-29");
  });

  it("for any instant and zone: it is within its day, and the day before ends where it begins", () => {
    const zones = fc.constantFrom(
      "UTC",
      "Asia/Kathmandu",
      "America/St_Johns",
      "Pacific/Kiritimati",
      "Pacific/Pago_Pago",
    );
    const instants = fc.date({ min: at("2000-01-02"), max: at("2090-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const day = dayOf(instant, zone);
        expect(day.from <= instant && instant <= day.until).toBe(true);
        expect(localDate(day.from, zone)).toBe(day.date);
        expect(localDate(day.until, zone)).toBe(day.date);
        expect(lastEndedDay(instant, zone).until.getTime()).toBe(day.from.getTime() - 1);
      }),
      { numRuns: 50 },
    );
  });
});

it("ten years are kept", () => {
  expect(firstKeptDate("2026-11-26")).toBe("2016-11-26");
});
