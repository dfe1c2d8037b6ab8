import fc from "fast-check";
import { expect, test } from "vitest";
import { parseReaderTime } from "./reader-time.ts";

const AT = Date.UTC(2026, 10, 27, 0, 15, 2, 123);

test("times with nanoseconds, microseconds, or an offset without a colon are read to the millisecond", () => {
  for (const text of [
    "2026-11-27T00:15:02.123456789Z",
    "2026-11-27T00:15:02.123456Z",
    "2026-11-27T00:15:02.123+0000",
    "2026-11-27T02:15:02.123+02:00",
    "2026-11-26t19:15:02,123-0500",
    ` ${AT} `,
  ]) {
    expect(parseReaderTime(text), text).toBe(AT);
  }
  expect(parseReaderTime("2026-11-27T00:15:02Z")).toBe(AT - 123);
});

test("a number is seconds, milliseconds, microseconds or nanoseconds, by its digits", () => {
  expect(parseReaderTime(Math.floor(AT / 1000))).toBe(AT - 123);
  expect(parseReaderTime(AT / 1000)).toBe(AT);
  expect(parseReaderTime(AT)).toBe(AT);
  expect(parseReaderTime(AT * 1000 + 999)).toBe(AT);
  expect(parseReaderTime(`${AT}999999`)).toBe(AT);
});

test("a clock that is not set, a time without zone and other text give no time", () => {
  const none = [
    "1970-01-01T00:00:12Z",
    "2000-01-01T00:00:00Z",
    12_345,
    0,
    -1,
    Number.NaN,
    "2026-11-27T00:15:02",
  ];
  for (const value of [...none, "", "now", "2026-13-40T99:99:99Z", null, undefined, {}, []]) {
    expect(parseReaderTime(value), String(value)).toBeUndefined();
  }
});

test("any value gives a whole millisecond or nothing", () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.date().map(String), fc.string(), fc.double()), (value) => {
      const ms = parseReaderTime(value);
      expect(ms === undefined || Number.isSafeInteger(ms)).toBe(true);
    }),
  );
});
