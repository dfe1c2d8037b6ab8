/** Digits after the prefix; a larger counter simply grows longer. */
const DIGITS = 6;

/** The number that the workspace's counter stands for, for example "AST-000042". */
export function formatNumber(prefix: string, counter: number): string {
  return `${prefix}${String(counter).padStart(DIGITS, "0")}`;
}

/** What makes two numbers the same: case, and nothing else, is ignored. */
export function numberKey(number: string): string {
  return number.normalize("NFC").toLowerCase();
}
