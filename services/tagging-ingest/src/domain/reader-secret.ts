const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 43;

/**
 * The displayed text of a reader's secret: `rdsec_` and base62 of 32 random
 * bytes, left-padded to 43 characters so that each has the same length.
 */
export function readerSecret(random: Uint8Array): string {
  let value = 0n;
  for (const byte of random) value = (value << 8n) | BigInt(byte);
  let text = "";
  for (; value > 0n; value /= 62n) text = ALPHABET.charAt(Number(value % 62n)) + text;
  return `rdsec_${text.padStart(LENGTH, "0")}`;
}
