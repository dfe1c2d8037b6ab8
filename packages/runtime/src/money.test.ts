import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  currencyDigits,
  formatMoney,
  isCurrency,
  moneyNumber,
  parseMoney,
  scaleMoney,
  sumMoney,
} from "./money.ts";

const minorUnits = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const digits = fc.integer({ min: 0, max: 4 });

describe("money", () => {
  it("the number of digits of a currency follows ISO 4217, and an unknown currency is refused", () => {
    expect(["EUR", "JPY", "KWD"].map(currencyDigits)).toEqual([2, 0, 3]);
    expect(() => currencyDigits("XYZ")).toThrow(new RangeError("unknown currency XYZ"));
    expect(["EUR", "eur", "xEUR", "EURx", "XYZ"].map(isCurrency)).toEqual([true, false, false, false, false]);
  });

  it("parseMoney returns every amount that formatMoney has written, for any number of digits", () => {
    fc.assert(
      fc.property(minorUnits, digits, (minor, places) => {
        expect(parseMoney(formatMoney(minor, places), places)).toBe(minor === 0 ? 0 : minor);
      }),
    );
  });

  it("an amount of up to 15 significant digits is exact as a JSON number", () => {
    const exact = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
    fc.assert(
      fc.property(exact, digits, (minor, places) => {
        expect(parseMoney(moneyNumber(minor, places), places)).toBe(minor === 0 ? 0 : minor);
      }),
    );
  });

  it.each([
    [0.1, 10],
    [1.005, undefined],
    ["1.10", 110],
    ["-0.01", -1],
    ["-0", 0],
    [19.99, 1999],
    [1e21, undefined],
    ["90071992547409.91", 9007199254740991],
    ["90071992547409.92", undefined],
    ["1.234", undefined],
    ["1,5", undefined],
    ["1e3", undefined],
    ["01", undefined],
    [".5", undefined],
    ["5.", undefined],
    [" 5", undefined],
    ["+5", undefined],
    ["", undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])("parseMoney converts %s to %s cents, where undefined means refused", (value, minor) => {
    if (minor === undefined) expect(() => parseMoney(value, 2)).toThrow("are invalid");
    else expect(parseMoney(value, 2)).toBe(minor);
  });

  it.each([
    ["x", 2, "must be an amount such as 12.34"],
    ["1.234", 2, "must have at most 2 decimals"],
    ["1.5", 0, "must be a whole amount"],
    ["90071992547409.92", 2, "is too large"],
    ["-90071992547409.92", 2, "is too large"],
  ])("the error of parseMoney for %s with %i digits names the given field: %s", (value, places, message) => {
    const error = (field: string) => expect.objectContaining({ violations: [{ field, message }] });
    expect(() => parseMoney(value, places, "cost")).toThrow(error("cost"));
    expect(() => parseMoney(value, places)).toThrow(error("amount"));
  });

  it("zero has no sign", () => {
    expect(formatMoney(0, 2)).toBe("0.00");
    expect(formatMoney(-0, 0)).toBe("0");
    expect(Object.is(sumMoney([1, -1]), 0)).toBe(true);
    expect(Object.is(scaleMoney(-1, 0, 5), 0)).toBe(true);
    expect(Object.is(scaleMoney(0, 3, -5), 0)).toBe(true);
  });

  it("scaleMoney rounds halves away from zero, for positive and negative amounts", () => {
    expect([1, -1, 3, -3].map((amount) => scaleMoney(amount, 1, 2))).toEqual([1, -1, 2, -2]);
    expect(scaleMoney(100_000, 3333, 10_000)).toBe(33_330);
    expect(scaleMoney(5, 1, -2)).toBe(-3);
  });

  it("the result of scaleMoney differs from the exact quotient by at most a half", () => {
    const factor = fc.integer({ min: -1_000_000, max: 1_000_000 });
    const divisor = factor.filter((value) => value !== 0);
    const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(amount, factor, divisor, (base, numerator, denominator) => {
        const scaled = BigInt(scaleMoney(base, numerator, denominator));
        const error = BigInt(base) * BigInt(numerator) - scaled * BigInt(denominator);
        const doubled = 2n * (error < 0n ? -error : error);
        expect(doubled <= BigInt(Math.abs(denominator))).toBe(true);
      }),
    );
  });

  it("amounts outside the exact range, fractions of minor units and a denominator of 0 are refused", () => {
    const beyond = new RangeError("amount is beyond 2^53 - 1 minor units");
    expect(() => sumMoney([Number.MAX_SAFE_INTEGER, 1])).toThrow(beyond);
    expect(() => sumMoney([-Number.MAX_SAFE_INTEGER, -1])).toThrow(beyond);
    expect(() => scaleMoney(Number.MAX_SAFE_INTEGER, 2, 1)).toThrow(beyond);
    expect(() => scaleMoney(1, 1, 0)).toThrow(new RangeError("denominator is 0"));
    expect(() => formatMoney(1.5, 2)).toThrow(new RangeError("not minor units: 1.5"));
    expect(sumMoney([-Number.MAX_SAFE_INTEGER])).toBe(-Number.MAX_SAFE_INTEGER);
    expect(sumMoney([Number.MAX_SAFE_INTEGER, 1, -1])).toBe(Number.MAX_SAFE_INTEGER);
  });
});
