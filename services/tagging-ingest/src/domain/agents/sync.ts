const ROUTE = "POST\n/asset_manager_api/agents/sync";
const WINDOW_MS = 300_000;
const SECONDS = /^\d{1,11}$/;

/** An agent syncs once an hour, and when it is refused. More syncs than this in NONCE_LIFE_MS are refused. */
export const MAX_NONCES = 20;

/** How long a signature is valid: from 300 s before its time to 300 s after. */
export const NONCE_LIFE_MS = 2 * WINDOW_MS;

/** The nonce of an earlier sync, and when it came. */
export type UsedNonce = { nonce: string; at: Date };

/** The text that an agent signs for a sync: as for a batch of surface B, with its own route. */
export function syncText(agentId: string, timestamp: string, nonce: string, hashOfBody: string): string {
  return `v1\n${ROUTE}\n${agentId}\n${timestamp}\n${nonce}\n${hashOfBody}`;
}

/** Whether the signed time, in seconds, is at most 300 s from the server's. */
export function isInWindow(timestamp: string, now: Date): boolean {
  return SECONDS.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now.getTime()) <= WINDOW_MS;
}

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
