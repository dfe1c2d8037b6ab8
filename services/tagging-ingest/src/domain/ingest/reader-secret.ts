import type { SealedPlace } from "@asset-register/runtime";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 43;

/** The displayed text of a reader's secret, from 32 random bytes. */
export const readerSecret = (random: Uint8Array): string => secretText("rdsec_", random);

/** A prefix and base62 of 32 random bytes, left-padded to 43 characters so that each secret has the same length. */
export function secretText(prefix: string, random: Uint8Array): string {
  let value = 0n;
  for (const byte of random) value = (value << 8n) | BigInt(byte);
  let text = "";
  for (; value > 0n; value /= 62n) text = ALPHABET.charAt(Number(value % 62n)) + text;
  return prefix + text.padStart(LENGTH, "0");
}

/** The record that the encryption of a reader's secrets is bound to. */
export function secretPlace(readerId: string): SealedPlace {
  return { service: "tagging-ingest", collection: "readers", recordId: readerId };
}
