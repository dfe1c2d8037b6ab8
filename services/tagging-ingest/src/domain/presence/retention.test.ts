import { expect, test } from "vitest";
import { expiryDay } from "./retention.ts";

test.each([
  ["2026-03-01T00:00:00.000Z", 0, "2026-03-02T00:00:00.000Z"],
  ["2026-03-01T23:59:59.999Z", 0, "2026-03-02T00:00:00.000Z"],
  ["2026-03-01T12:00:00.000Z", 30, "2026-04-01T00:00:00.000Z"],
])("a row that is written at %s expires %i days after that day: %s", (now, days, expected) => {
  expect(expiryDay(new Date(now), days)).toEqual(new Date(expected));
});
