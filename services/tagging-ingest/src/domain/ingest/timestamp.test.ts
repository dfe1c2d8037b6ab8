import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTimestamp } from "./timestamp.ts";

const instant = Date.UTC(2026, 0, 1, 12, 30, 15, 250);

describe("parseTimestamp", () => {
  it("parses all forms of one instant as the same instant", () => {
    for (const text of [
      "2026-01-01T12:30:15.250Z",
      "2026-01-01T14:00:15.250+01:30",
      "2026-01-01t07:30:15.25-05:00",
      "1767270615250",
      "1767270615250000",
      "1767270615250000000",
    ]) {
      expect(parseTimestamp(text), text).toEqual({ ms: instant, nanos: 0 });
    }
    expect(parseTimestamp("1767270615")).toEqual({ ms: instant - 250, nanos: 0 });
  });

  it("keeps the digits after the millisecond, because they distinguish two reads", () => {
    expect(parseTimestamp("2026-01-01T12:30:15.250123456Z")).toEqual({ ms: instant, nanos: 123_456 });
    expect(parseTimestamp("1767270615250123456")).toEqual({ ms: instant, nanos: 123_456 });
    expect(parseTimestamp("1767270615250123")).toEqual({ ms: instant, nanos: 123_000 });
  });

  it("returns undefined for times without a zone, times that don't exist and other texts", () => {
    for (const text of [
      "2026-01-01T12:30:15",
      "2026-01-01",
      "2026-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2100-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z",
      "0085-01-01T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:00:00+24:00",
      "1.5",
      "-1",
      "1e9",
      " 1767270615",
      "",
      "123456789012345678901",
    ]) {
      expect(parseTimestamp(text), text).toBeUndefined();
    }
  });

  it("parses the platform's own form of any instant, and never throws", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
        (at) => {
          expect(parseTimestamp(at.toISOString())).toEqual({ ms: at.getTime(), nanos: 0 });
        },
      ),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseTimestamp(text)));
  });
});
