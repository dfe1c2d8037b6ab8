import { describe, expect, test } from "vitest";
import { isOpen, type OpeningHours } from "./opening-hours.ts";

const day: OpeningHours = { openDays: ["mon", "tue"], openFrom: "08:00", openTo: "18:00" };
const night: OpeningHours = { openDays: ["fri"], openFrom: "22:00", openTo: "06:00" };

describe("isOpen", () => {
  // 2026-01-05 is a Monday.
  test.each([
    [day, "2026-01-05T07:59:59.999Z", false],
    [day, "2026-01-05T08:00:00.000Z", true],
    [day, "2026-01-05T17:59:59.999Z", true],
    [day, "2026-01-05T18:00:00.000Z", false],
    [day, "2026-01-07T12:00:00.000Z", false],
    [night, "2026-01-09T21:59:00.000Z", false],
    [night, "2026-01-09T22:00:00.000Z", true],
    [night, "2026-01-10T05:59:00.000Z", true],
    [night, "2026-01-10T06:00:00.000Z", false],
    [night, "2026-01-10T22:00:00.000Z", false],
    [night, "2026-01-09T05:00:00.000Z", false],
  ])("%j at %s: %s", (hours, at, expected) => {
    expect(isOpen(hours, new Date(at), "UTC")).toBe(expected);
  });

  test("the wall clock follows summer time", () => {
    const winter = new Date("2026-03-23T07:30:00.000Z");
    const summer = new Date("2026-03-30T07:30:00.000Z");
    expect(isOpen({ ...day, openFrom: "09:00" }, winter, "Europe/Berlin")).toBe(false);
    expect(isOpen({ ...day, openFrom: "09:00" }, summer, "Europe/Berlin")).toBe(true);
  });

  test("the week begins again: what opens on Sunday evening is open on Monday morning", () => {
    const hours: OpeningHours = { openDays: ["sun"], openFrom: "20:00", openTo: "04:00" };
    expect(isOpen(hours, new Date("2026-01-05T03:00:00.000Z"), "UTC")).toBe(true);
  });
});
