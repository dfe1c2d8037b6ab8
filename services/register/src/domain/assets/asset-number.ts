/** Digits after the prefix; a larger counter simply grows longer. */
const DIGITS = 6;

/** Formats the workspace's counter as a number, for example "AST-000042". */
export function formatNumber(prefix: string, counter: number): string {
  return `${prefix}${String(counter).padStart(DIGITS, "0")}`;
}

/** The key by which numbers are compared: only case is ignored. */
export function numberKey(number: string): string {
  return number.normalize("NFC").toLowerCase();
}
