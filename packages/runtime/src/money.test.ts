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
  it("takes the digits of each currency from ISO 4217", () => {
    expect(["EUR", "JPY", "KWD"].map(currencyDigits)).toEqual([2, 0, 3]);
    expect(() => currencyDigits("XYZ")).toThrow(RangeError);
    expect(isCurrency("eur")).toBe(false);
  });

  it("reads back every amount it writes, in every currency's digits", () => {
    fc.assert(
      fc.property(minorUnits, digits, (minor, places) => {
        expect(parseMoney(formatMoney(minor, places), places)).toBe(minor === 0 ? 0 : minor);
      }),
    );
  });

  it("survives a JSON number up to 15 significant digits", () => {
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
  ])("reads %s as %s cents", (value, minor) => {
    if (minor === undefined) expect(() => parseMoney(value, 2)).toThrow("not valid");
    else expect(parseMoney(value, 2)).toBe(minor);
  });

  it("names the field it was given", () => {
    expect(() => parseMoney("x", 2, "cost")).toThrow(
      expect.objectContaining({
        violations: [{ field: "cost", message: "must be an amount such as 12.34" }],
      }),
    );
  });

  it("rounds half away from zero on either side", () => {
    expect([1, -1, 3, -3].map((amount) => scaleMoney(amount, 1, 2))).toEqual([1, -1, 2, -2]);
    expect(scaleMoney(100_000, 3333, 10_000)).toBe(33_330);
    expect(scaleMoney(5, 1, -2)).toBe(-3);
  });

  it("never differs from the exact quotient by more than a half", () => {
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

  it("refuses what leaves the exact range instead of losing a cent", () => {
    expect(() => sumMoney([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError);
    expect(() => scaleMoney(Number.MAX_SAFE_INTEGER, 2, 1)).toThrow(RangeError);
    expect(() => scaleMoney(1, 1, 0)).toThrow(RangeError);
    expect(() => formatMoney(1.5, 2)).toThrow(RangeError);
    expect(sumMoney([Number.MAX_SAFE_INTEGER, 1, -1])).toBe(Number.MAX_SAFE_INTEGER);
  });
});
