import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "./time.ts";

const instant = fc.date({
  min: new Date("0001-01-02T00:00:00Z"),
  max: new Date("9999-12-30T00:00:00Z"),
  noInvalidDate: true,
});

describe("instants", () => {
  it("parseInstant returns every instant that formatInstant has written", () => {
    fc.assert(
      fc.property(instant, (date) => {
        expect(parseInstant(formatInstant(date))).toEqual(date);
      }),
    );
  });

  it("the same instant in any time zone offset is parsed as equal", () => {
    const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    fc.assert(
      fc.property(instant, minutes, (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, "0");
        const rest = String(Math.abs(offset) % 60).padStart(2, "0");
        expect(parseInstant(`${local}${offset < 0 ? "-" : "+"}${hours}:${rest}`)).toEqual(date);
      }),
    );
  });

  it.each([
    ["2026-02-28T09:30:00Z", "2026-02-28T09:30:00.000Z"],
    ["2024-02-29t00:00:00.1239z", "2024-02-29T00:00:00.123Z"],
    ["2026-01-01T00:00:00.5+01:30", "2025-12-31T22:30:00.500Z"],
    ["0050-01-01T00:00:00Z", "0050-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("parseInstant accepts %s", (text, expected) => {
    expect(parseInstant(text)?.toISOString()).toBe(expected);
  });

  it.each([
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01 00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00Z and more",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+00:60",
    "2026-1-1T0:0:0Z",
    "+002026-01-01T00:00:00Z",
    "1767225600",
    "9999-12-31T23:59:59-00:01",
    "0001-01-01T00:00:00+00:01",
    "0000-01-01T00:00:00Z",
    "",
  ])("parseInstant returns undefined for %j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
