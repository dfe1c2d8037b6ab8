import { sha256, type TokenPair } from "./token.ts";
import type { User } from "./user.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Lifetimes in milliseconds. */
export const lifetimes = {
  access: 10 * MINUTE,
  refreshIdle: 30 * DAY,
  session: 90 * DAY,
  /** Reuse of a spent token this soon after the swap is a race of two refreshes, not theft. */
  race: 5_000,
  /** A lost answer can be requested again this long. */
  retry: 30_000,
  /** A sign-in or reauthentication is recent for this long. */
  recent: 10 * MINUTE,
} as const;

/** Access tokens of one session: after a refresh the earlier token stays valid for its 10 minutes. */
export const MAX_ACCESS_TOKENS = 2;

/** `hash` is the SHA-256 of the token, in hex. */
export type AccessToken = { hash: string; expiresAt: Date };
export type RevokeReason =
  | "logout"
  | "reuse"
  | "device"
  | "owner"
  | "admin"
  | "password"
  | "email"
  | "provider"
  | "sso_required"
  | "factors";

/** The factors that a person has proved at a sign-in. `provider_mfa`: the second factor that a provider of single sign-on asks for. */
export type Factor = "password" | "totp" | "recovery_code" | "passkey" | "sso" | "provider_mfa";

/** A passkey alone counts as two factors: it is a device, and its user was verified by it. */
const SECOND_FACTORS: readonly Factor[] = ["totp", "recovery_code", "passkey", "provider_mfa"];

/** The description of a device. */
export type DeviceDescription = {
  label?: string | undefined;
  platform?: string | undefined;
  appVersion?: string | undefined;
};

/** One user on one device. A new sign-in on the device starts a new family of tokens in the same session. */
export type Session = DeviceDescription & {
  id: string;
  workspaceId: string;
  userId: string;
  deviceUuid: string;
  /** The sign-in from which its tokens come. */
  family: string;
  accessTokens: AccessToken[];
  /** 90 days after the sign-in. A refresh does not change it. */
  expiresAt: Date;
  revokedAt?: Date | undefined;
  revokedFor?: RevokeReason | undefined;
  /** The factors proved at its sign-in or set up in it. Absent in sessions of earlier releases. */
  factors?: Factor[] | undefined;
  /** The time of the sign-in or of the last reauthentication. A refresh does not change it. Absent as `factors` is. */
  authenticatedAt?: Date | undefined;
  /** Counts sign-ins, revocations and changes of `factors`, from 1. A refresh is none of them. */
  rev: number;
  createdAt: Date;
  lastSeenAt: Date;
};

/** A session as a caller sees it. */
export type DeviceView = { session: Session; current: boolean };

/** One refresh token. A spent token is kept until its family ends, so that reuse is noticed. */
export type RefreshToken = {
  /** SHA-256 of the token, in hex. */
  id: string;
  workspaceId: string;
  sessionId: string;
  family: string;
  expiresAt: Date;
  /** MongoDB removes the token then. */
  familyEndsAt: Date;
  spentAt?: Date | undefined;
  successorId?: string | undefined;
};

/** Tokens end with their session at the latest. */
function expiries(now: Date, { expiresAt }: Pick<Session, "expiresAt">): { access: Date; refresh: Date } {
  const atMost = (time: number): Date => new Date(Math.min(time, expiresAt.getTime()));
  return {
    access: atMost(now.getTime() + lifetimes.access),
    refresh: atMost(now.getTime() + lifetimes.refreshIdle),
  };
}

/** The stored form of a refresh token that is issued at `now`. */
export function newRefreshToken(
  session: Pick<Session, "id" | "workspaceId" | "family" | "expiresAt">,
  { refreshToken }: TokenPair,
  now: Date,
): RefreshToken {
  return {
    id: sha256(refreshToken),
    workspaceId: session.workspaceId,
    sessionId: session.id,
    family: session.family,
    expiresAt: expiries(now, session).refresh,
    familyEndsAt: session.expiresAt,
  };
}

/** The stored form of an access token that is issued at `now`. */
export function newAccessToken(
  session: Pick<Session, "expiresAt">,
  { accessToken }: TokenPair,
  now: Date,
): AccessToken {
  return { hash: sha256(accessToken), expiresAt: expiries(now, session).access };
}

/** Whether the session is neither revoked nor expired. */
export function isLive(session: Session, now: Date): boolean {
  return session.revokedAt === undefined && session.expiresAt > now;
}

export const isSecondFactor = (factor: Factor): boolean => SECOND_FACTORS.includes(factor);

/** Whether the session was signed in with a second factor. */
export function hasSecondFactor({ factors = [] }: Pick<Session, "factors">): boolean {
  return factors.some(isSecondFactor);
}

/** Whether the user has proved within 10 minutes who they are: by a sign-in or a reauthentication. */
export function isRecent({ authenticatedAt }: Pick<Session, "authenticatedAt">, now: Date): boolean {
  return authenticatedAt !== undefined && now.getTime() - authenticatedAt.getTime() < lifetimes.recent;
}

/** The tokens that the caller gets. No other type holds tokens in clear text for longer than a call. */
export type Tokens = TokenPair & { accessExpiresAt: Date; refreshExpiresAt: Date };
export type SignIn = { tokens: Tokens; session: Session; user: User };

/** A pair that was issued at `issuedAt`, with its expiry. */
export function withExpiry(session: Pick<Session, "expiresAt">, pair: TokenPair, issuedAt: Date): Tokens {
  const { access, refresh } = expiries(issuedAt, session);
  return { ...pair, accessExpiresAt: access, refreshExpiresAt: refresh };
}
