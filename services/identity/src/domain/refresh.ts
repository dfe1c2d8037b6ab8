import { isLive, lifetimes, type RefreshToken, type RevokeReason, type Session } from "./session.ts";

/** What is known when a refresh token is presented. */
export type RefreshCase = {
  token: RefreshToken;
  session: Session | undefined;
  deviceUuid: string;
  /** Hash of the successor that the caller's idempotency key gives; undefined without a key. */
  candidateHash: string | undefined;
  /** Whether the successor of a spent token has been used already: then its answer was not lost. */
  successorSpent: boolean;
  now: Date;
};

export type RefreshDecision =
  | { do: "swap" }
  | { do: "replay"; spentAt: Date }
  | { do: "refuse" }
  | { do: "revoke"; reason: RevokeReason };

/**
 * What a refresh with this token does.
 *
 * - Unspent, right device: swapped for its successor.
 * - Spent, same idempotency key within 30 s, successor unused: the answer was
 *   lost and is made again.
 * - Spent within the last 5 s otherwise: the loser of two parallel refreshes,
 *   refused, and the session lives. A clock that is behind counts as within.
 * - Spent longer ago, or another device: theft, the session ends.
 */
export function decideRefresh(refresh: RefreshCase): RefreshDecision {
  const { token, session, deviceUuid, candidateHash, successorSpent, now } = refresh;
  if (session === undefined || !isLive(session, now) || session.family !== token.family) {
    return { do: "refuse" };
  }
  if (session.deviceUuid !== deviceUuid) return { do: "revoke", reason: "device" };
  if (token.spentAt === undefined) return { do: token.expiresAt > now ? "swap" : "refuse" };
  const age = now.getTime() - token.spentAt.getTime();
  const sameKey = candidateHash !== undefined && candidateHash === token.successorHash;
  if (sameKey && !successorSpent && age <= lifetimes.retry) return { do: "replay", spentAt: token.spentAt };
  return age <= lifetimes.race ? { do: "refuse" } : { do: "revoke", reason: "reuse" };
}
