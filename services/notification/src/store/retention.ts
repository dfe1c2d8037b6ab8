import type { Index } from "@asset-register/mongo";

const DAY_SECONDS = 86_400;

/** How long records are kept, by collection. These indexes span workspaces. */
export const retention: Readonly<Record<string, readonly Index[]>> = {
  notices: [{ name: "expiry", key: { at: 1 }, expireAfterSeconds: 90 * DAY_SECONDS }],
  // A mark is made after its notice, so it is kept at least as long.
  notice_reads: [{ name: "expiry", key: { readAt: 1 }, expireAfterSeconds: 90 * DAY_SECONDS }],
  alerts: [{ name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
};
