import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY = 30;
const CHECKSUM = 6;

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = "";
  while (digits.length < length) {
    digits = DIGITS.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}

// 62^6 is above 2^32, so six digits hold every CRC32.
const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM);

/**
 * A secret's text from random bytes: the prefix, 30 base62 digits, and the CRC32
 * of both in 6 digits, by which scanners tell a real one from a look-alike.
 * 32 bytes leave a bias below 2^-77.
 */
export function checkedText(prefix: string, random: Uint8Array): string {
  const text = prefix + base62(BigInt(`0x${Buffer.from(random).toString("hex")}`), BODY);
  return text + checksum(text);
}

/** Whether `text` has the form and the checksum of a checked text with this prefix. */
export function isCheckedText(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + BODY + CHECKSUM || !text.startsWith(prefix)) return false;
  const body = text.slice(prefix.length);
  return /^[0-9A-Za-z]+$/.test(body) && text.endsWith(checksum(text.slice(0, -CHECKSUM)));
}
