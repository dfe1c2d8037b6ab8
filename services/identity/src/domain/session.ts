import { sha256, type TokenPair } from "./token.ts";
import type { User } from "./user.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** How long things last, in milliseconds. */
export const lifetimes = {
  access: 10 * MINUTE,
  refreshIdle: 30 * DAY,
  session: 90 * DAY,
  /** Reuse of a spent token this soon after the swap is two parallel refreshes. */
  race: 5_000,
  /** A lost answer may be asked for again this long. */
  retry: 30_000,
} as const;

/** Access tokens that a session keeps: after a refresh the one before lives out its 10 minutes. */
export const ACCESS_TOKENS_KEPT = 2;

export type AccessToken = { hash: string; expiresAt: Date };
export type RevokeReason = "logout" | "reuse" | "device" | "owner" | "admin" | "password";

/** One user on one device. A sign-in on the same device starts a new family of tokens in it. */
export type Session = {
  id: string;
  workspaceId: string;
  userId: string;
  deviceUuid: string;
  label: string;
  platform: string;
  appVersion: string;
  /** Which sign-in its tokens come from. */
  family: string;
  accessTokens: AccessToken[];
  /** 90 days after the sign-in, however often it is refreshed. */
  expiresAt: Date;
  revokedAt?: Date;
  revokedFor?: RevokeReason;
  /** Raised by each sign-in and revocation. */
  version: number;
  createdAt: Date;
  lastSeenAt: Date;
};

/** One refresh token, kept after its use until the family ends, so that reuse is noticed. */
export type RefreshToken = {
  hash: string;
  workspaceId: string;
  sessionId: string;
  family: string;
  expiresAt: Date;
  /** When the family ends, and this row with it. */
  familyEndsAt: Date;
  spentAt?: Date;
  successorHash?: string;
};

/** When tokens made at `now` end in a session that ends at `sessionEnds`. */
export function expiries(now: Date, sessionEnds: Date): { access: Date; refresh: Date } {
  const atMost = (time: number): Date => new Date(Math.min(time, sessionEnds.getTime()));
  return {
    access: atMost(now.getTime() + lifetimes.access),
    refresh: atMost(now.getTime() + lifetimes.refreshIdle),
  };
}

/** The refresh token's row for a pair made at `now`. */
export function refreshTokenOf(
  session: Pick<Session, "id" | "workspaceId" | "family" | "expiresAt">,
  pair: TokenPair,
  now: Date,
): RefreshToken {
  return {
    hash: sha256(pair.refresh),
    workspaceId: session.workspaceId,
    sessionId: session.id,
    family: session.family,
    expiresAt: expiries(now, session.expiresAt).refresh,
    familyEndsAt: session.expiresAt,
  };
}

/** The access token's row for a pair made at `now`. */
export function accessTokenOf(session: Pick<Session, "expiresAt">, pair: TokenPair, now: Date): AccessToken {
  return { hash: sha256(pair.access), expiresAt: expiries(now, session.expiresAt).access };
}

/** Whether the session still stands at `now`. */
export function isLive(session: Session, now: Date): boolean {
  return session.revokedAt === undefined && session.expiresAt > now;
}

/** What the caller gets: the only place where tokens are seen in the clear. */
export type Tokens = TokenPair & { accessExpiresAt: Date; refreshExpiresAt: Date };
export type SignIn = { tokens: Tokens; session: Session; user: User };

/** The pair made at `made`, with its ends. */
export function tokensOf(session: Pick<Session, "expiresAt">, pair: TokenPair, made: Date): Tokens {
  const ends = expiries(made, session.expiresAt);
  return { ...pair, accessExpiresAt: ends.access, refreshExpiresAt: ends.refresh };
}
