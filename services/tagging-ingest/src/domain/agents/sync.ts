import { WINDOW_MS } from "../ingest/signing.ts";

/** An agent syncs once an hour, and when it is refused. More syncs than this in NONCE_LIFE_MS are refused. */
export const MAX_NONCES = 20;

/** How long a signature is valid: from 300 s before its time to 300 s after. */
export const NONCE_LIFE_MS = 2 * WINDOW_MS;

/** The nonce of an earlier sync, and when it came. */
export type UsedNonce = { nonce: string; at: Date };

/**
 * The nonces after another sync, or why it is refused. As many as are kept are allowed, so none is forgotten while its
 * signature is valid.
 */
export function withNonce(
  used: readonly UsedNonce[],
  nonce: string,
  at: Date,
): UsedNonce[] | "reused" | "too_many" {
  if (used.some((one) => one.nonce === nonce)) return "reused";
  const valid = used.filter((one) => at.getTime() - one.at.getTime() <= NONCE_LIFE_MS);
  return valid.length < MAX_NONCES ? [...valid, { nonce, at }] : "too_many";
}
