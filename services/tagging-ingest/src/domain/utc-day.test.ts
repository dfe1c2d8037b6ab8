import { expect, it } from "vitest";
import { dateOfDay, dayOf, dayOfDate } from "./utc-day.ts";

it("a day is a number and a date", () => {
  expect([0, 86_399_999, 86_400_000].map(dayOf)).toEqual([0, 0, 1]);
  expect(dayOfDate("1970-01-02")).toBe(1);
  expect(dateOfDay(dayOfDate("2026-02-28") ?? 0)).toBe("2026-02-28");
});

it.each(["2026-02-30", "2026-2-3", "20260203", "2026-02-03T00:00:00Z", "", "today"])(
  "%j is no day",
  (text) => {
    expect(dayOfDate(text)).toBeUndefined();
  },
);
