import { expect, test } from "vitest";
import { instantOf, localTime } from "./zoned-time.ts";

test.each([
  ["2026-01-31T10:30", "Europe/Berlin", "2026-01-31T09:30:00.000Z"],
  ["2026-07-01T00:15", "Europe/Berlin", "2026-06-30T22:15:00.000Z"],
  // An hour after and an hour before a change of the clock.
  ["2026-03-29T03:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-03-29T01:30", "Europe/Berlin", "2026-03-29T00:30:00.000Z"],
  ["2026-03-08T03:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
  ["2026-01-01T00:00", "Asia/Kathmandu", "2025-12-31T18:15:00.000Z"],
])("%s in %s is %s, and back", (local, timeZone, instant) => {
  expect(instantOf(local, timeZone)).toBe(instant);
  expect(localTime(instant, timeZone)).toBe(local);
});
