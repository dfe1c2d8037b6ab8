import { isLive, lifetimes, type RefreshToken, type RevokeReason, type Session } from "./session.ts";

/** The facts that decide about a refresh. */
export type RefreshCase = {
  token: RefreshToken;
  session: Session | undefined;
  deviceUuid: string;
  /** Id of the successor that the caller's Idempotency-Key gives; undefined without a key. */
  candidateId: string | undefined;
  /** Whether the successor of a spent token was used. If it was, its answer was not lost. */
  successorSpent: boolean;
  now: Date;
};

export type RefreshDecision =
  | { do: "swap" }
  | { do: "replay"; spentAt: Date }
  | { do: "refuse" }
  | { do: "revoke"; reason: RevokeReason };

/**
 * Decides what a refresh with this token does.
 *
 * | Token                                                       | Decision                                         |
 * | ----------------------------------------------------------- | ------------------------------------------------ |
 * | unspent, on its own device                                  | swap                                             |
 * | spent, same Idempotency-Key within 30 s, successor not used | replay: the answer was lost                      |
 * | spent within the last 5 s, otherwise                        | refuse: it lost a race, and the session lives on |
 * | spent earlier, or on another device                         | revoke the session: the token was stolen         |
 *
 * The clock may be behind the one that spent the token: that counts as within the last 5 s.
 */
export function decideRefresh(refresh: RefreshCase): RefreshDecision {
  const { token, session, deviceUuid, candidateId, successorSpent, now } = refresh;
  if (session === undefined || !isLive(session, now) || session.family !== token.family) {
    return { do: "refuse" };
  }
  if (session.deviceUuid !== deviceUuid) return { do: "revoke", reason: "device" };
  if (token.spentAt === undefined) return { do: token.expiresAt > now ? "swap" : "refuse" };
  const age = now.getTime() - token.spentAt.getTime();
  const sameKey = candidateId !== undefined && candidateId === token.successorId;
  if (sameKey && !successorSpent && age <= lifetimes.retry) return { do: "replay", spentAt: token.spentAt };
  return age <= lifetimes.race ? { do: "refuse" } : { do: "revoke", reason: "reuse" };
}
