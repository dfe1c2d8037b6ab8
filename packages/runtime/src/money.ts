import { invalid } from "./errors.ts";

/** Amounts are limited to +-(2^53 - 1) minor units, so that a number represents them exactly. */
const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

const DECIMAL = /^(-?)(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;

/** Whether a text is an ISO 4217 code that this runtime knows. */
export function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf("currency").includes(code);
}

/**
 * Returns the number of decimal digits of a currency: 2 for EUR, 0 for JPY, 3 for KWD. It uses Intl, which takes
 * about 20 us, so call it once in a request or run.
 *
 * @throws RangeError for an unknown code
 */
export function currencyDigits(code: string): number {
  if (!isCurrency(code)) throw new RangeError(`unknown currency ${code}`);
  const format = new Intl.NumberFormat("en", { style: "currency", currency: code });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * Converts an amount in major units to minor units. The amount is a JSON number or a decimal text with at most
 * `digits` decimals. The conversion uses the decimal text and never rounds.
 *
 * @throws AppError VALIDATION_FAILED, which names `field`
 */
export function parseMoney(value: string | number, digits: number, field = "amount"): number {
  const match = DECIMAL.exec(String(value));
  if (match === null) throw invalid([{ field, message: "must be an amount such as 12.34" }]);
  const [, sign, whole = "0", fraction = ""] = match;
  if (fraction.length > digits) {
    const message = digits === 0 ? "must be a whole amount" : `must have at most ${digits} decimals`;
    throw invalid([{ field, message }]);
  }
  const minor = BigInt(whole + fraction.padEnd(digits, "0"));
  if (minor > LIMIT) throw invalid([{ field, message: "is too large" }]);
  return sign === "-" && minor !== 0n ? -Number(minor) : Number(minor);
}

/** Formats minor units as a decimal text in major units with all digits of the currency: (1234, 2) -> "12.34". */
export function formatMoney(minor: number, digits: number): string {
  requireMinorUnits(minor);
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const sign = minor < 0 ? "-" : "";
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * Converts minor units to a number in major units, for JSON. It is exact up to 15 significant digits
 * (9,999,999,999,999.99). For larger amounts use formatMoney.
 */
export function moneyNumber(minor: number, digits: number): number {
  return Number(formatMoney(minor, digits));
}

/**
 * Adds minor units.
 *
 * @throws RangeError if the sum exceeds the limits
 */
export function sumMoney(amounts: Iterable<number>): number {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return toMinorUnits(sum);
}

/**
 * Computes amount x numerator / denominator with BigInt, and rounds halves away from zero (ROUND_HALF_UP,
 * finance.md). The factors are whole numbers: 33.33 % is (3333, 10000).
 *
 * @throws RangeError if the result exceeds the limits, or the denominator is 0
 */
export function scaleMoney(amount: number, numerator: number | bigint, denominator: number | bigint): number {
  const divisor = BigInt(denominator);
  if (divisor === 0n) throw new RangeError("denominator is 0");
  const product = BigInt(amount) * BigInt(numerator);
  const negative = product < 0n !== divisor < 0n;
  const dividend = product < 0n ? -product : product;
  const positive = divisor < 0n ? -divisor : divisor;
  const rounded = (2n * dividend + positive) / (2n * positive);
  return toMinorUnits(negative ? -rounded : rounded);
}

function toMinorUnits(value: bigint): number {
  if (value > LIMIT || value < -LIMIT) throw new RangeError("amount is beyond 2^53 - 1 minor units");
  return Number(value);
}

function requireMinorUnits(minor: number): void {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`not minor units: ${minor}`);
}
