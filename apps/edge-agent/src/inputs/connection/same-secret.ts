import { createHash, timingSafeEqual } from "node:crypto";

const digest = (value: string | Uint8Array): Buffer => createHash("sha256").update(value).digest();

/** Compares a secret in a time that does not depend on where it differs. */
export const sameSecret = (expected: string, given: string | Uint8Array | undefined): boolean =>
  given !== undefined && timingSafeEqual(digest(expected), digest(given));
