import { describe, expect, test } from "vitest";
import { type Condition, conditionText, isOpen, type OpeningHours, silenceOf } from "./condition.ts";

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

test("silence has 70 s more than the rule, since its events are published once a minute", () => {
  expect(silenceOf({ type: "not_seen_for", hours: 0.01 })).toBe(106_000);
  expect(silenceOf({ type: "reader_offline", minutes: 1 })).toBe(130_000);
  expect(silenceOf({ type: "unknown_tag" })).toBeUndefined();
});

test.each<[Condition, string]>([
  [{ type: "seen_in_zone", zoneId: "zon_1" }, "seen_in_zone zon_1"],
  [{ type: "unknown_tag" }, "unknown_tag"],
  [{ type: "status_mismatch", statusIds: ["sta_1", "sta_2"] }, "status_mismatch sta_1,sta_2"],
  [{ type: "after_hours", ...night }, "after_hours fri 22:00 06:00"],
])("the text of %j", (condition, text) => {
  expect(conditionText(condition)).toBe(text);
});
