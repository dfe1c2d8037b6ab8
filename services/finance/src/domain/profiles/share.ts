import { scaleMoney } from "@asset-register/runtime";

/**
 * The part of an amount that falls to a weight of those left, rounded half up. With the last weight it is everything
 * that is left, so all parts sum to the amount exactly. 0 for a negative amount.
 */
export function shareOf(amount: number, weight: number, left: number): number {
  if (amount <= 0 || weight <= 0) return 0;
  return weight >= left ? amount : scaleMoney(amount, weight, left);
}

/** A decimal number as a ratio of whole numbers: 33.25 is 3325 / 100. */
export function asRatio(value: number): [numerator: bigint, denominator: bigint] {
  const [whole = "0", fraction = ""] = String(value).split(".");
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
}

/** Whether a number has at most `digits` decimals. */
export function hasDecimals(value: number, digits: number): boolean {
  return Number.isFinite(value) && new RegExp(`^-?\\d+(\\.\\d{1,${digits}})?$`).test(String(value));
}
