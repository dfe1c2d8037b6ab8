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

// 62^6 is greater than 2^32, so six digits can represent every CRC32.
const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM);

/**
 * Encodes random bytes as the text of a secret: the prefix, 30 base62 digits, and
 * the CRC32 of both in 6 digits. The checksum lets scanners distinguish a real
 * secret from a similar text. With 32 bytes the bias is below 2^-77.
 */
export function checkedText(prefix: string, random: Uint8Array): string {
  const text = prefix + base62(BigInt(`0x${Buffer.from(random).toString("hex")}`), BODY);
  return text + checksum(text);
}

/** Whether `text` has the format and the checksum of `checkedText` with this prefix. */
export function isCheckedText(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + BODY + CHECKSUM || !text.startsWith(prefix)) return false;
  const body = text.slice(prefix.length);
  return /^[0-9A-Za-z]+$/.test(body) && text.endsWith(checksum(text.slice(0, -CHECKSUM)));
}
