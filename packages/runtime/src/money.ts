import { invalid } from "./errors.ts";

/** Amounts stay within +-(2^53 - 1) minor units, so that a number holds them exactly. */
const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

const DECIMAL = /^(-?)(0|[1-9]\d{0,17})(?:\.(\d{1,18}))?$/;

/** Whether a text is an ISO 4217 code that this runtime knows. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf("currency").includes(code);
}

/**
 * Digits after the point of a currency: 2 for EUR, 0 for JPY, 3 for KWD. Asks Intl each time (about
 * 20 us); take it once per request or run.
 * @throws RangeError for an unknown code.
 */
export function currencyDigits(code: string): number {
  if (!isCurrency(code)) throw new RangeError(`unknown currency ${code}`);
  const format = new Intl.NumberFormat("en", { style: "currency", currency: code });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * Minor units of an amount in major units, given as a JSON number or decimal text with at most `digits`
 * digits after the point. Works on the decimal text: nothing is rounded.
 * @throws AppError VALIDATION_FAILED naming `field`.
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

/** Decimal text in major units with all of the currency's digits: (1234, 2) -> "12.34". */
export function formatMoney(minor: number, digits: number): string {
  requireMinorUnits(minor);
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const sign = minor < 0 ? "-" : "";
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * The same as a JSON number. A double prints back exactly what was meant up to 15 significant digits
 * (9,999,999,999,999.99); beyond use the text.
 */
export function moneyNumber(minor: number, digits: number): number {
  return Number(formatMoney(minor, digits));
}

/** Sum of minor units. @throws RangeError when it leaves the limits. */
export function sumMoney(amounts: Iterable<number>): number {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return toMinorUnits(sum);
}

/**
 * amount x numerator / denominator in BigInt, rounded half away from zero (ROUND_HALF_UP, finance.md).
 * Factors are whole numbers: 33.33 % is (3333, 10000).
 * @throws RangeError when the result leaves the limits or the denominator is 0.
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
  return value === 0n ? 0 : Number(value);
}

function requireMinorUnits(minor: number): void {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`not minor units: ${minor}`);
}
