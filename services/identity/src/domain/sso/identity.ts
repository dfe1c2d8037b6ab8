import type { Sealed } from "@asset-register/runtime";

/** The identity of a person at a provider, (issuer, subject), and the user whom it has been joined to. */
export type SsoIdentity = {
  id: string;
  workspaceId: string;
  userId: string;
  issuer: string;
  subject: string;
  createdAt: Date;
  lastSignedInAt: Date;
};

/** The sign-in with a provider from which a session comes. It has the id of the session. */
export type SsoSession = {
  id: string;
  workspaceId: string;
  userId: string;
  connectionId: string;
  /** Of the session. A later sign-in of another kind on the device has another family. */
  family: string;
  subject: string;
  /** The session at the provider. */
  providerSession?: string | undefined;
  /** The refresh token of the provider. */
  refreshToken?: Sealed | undefined;
  signedInAt: Date;
  /** When the provider has last confirmed the person. */
  checkedAt: Date;
  /** Another process asks the provider until then. */
  checkingUntil?: Date | undefined;
  /** MongoDB removes it then. */
  expiresAt: Date;
};

/** A sign-in with a provider that is not exchanged yet. `id` is the SHA-256 of its code. */
export type SsoCode = {
  id: string;
  workspaceId: string;
  userId: string;
  connectionId: string;
  /** SHA-256 of the state: only the browser that has begun has it. */
  stateHash: string;
  subject: string;
  providerSession?: string | undefined;
  refreshToken?: Sealed | undefined;
  authenticatedAt?: Date | undefined;
  /** When it was exchanged for a challenge of the user's second factor. */
  challengedAt?: Date | undefined;
  expiresAt: Date;
};

const HOUR = 3_600_000;

/** Times of single sign-on in milliseconds. */
export const ssoTimes = {
  /** From the start to the return from the provider. */
  start: 600_000,
  /** From the return to the exchange. */
  code: 60_000,
  /** The provider is asked at a refresh when its last answer is older. */
  check: 8 * HOUR,
  /** Without an answer of the provider, sessions go on for this long. */
  unreachable: 24 * HOUR,
  /** A session whose provider gives no refresh token. */
  withoutRefresh: 12 * HOUR,
  /** An admin who requires single sign-on must have used it within this time. */
  proof: HOUR,
} as const;

/** Why a sign-in has ended without an account. The browser gets it. */
export type SsoFailure =
  /** The browser has not begun this sign-in, or too long ago. */
  | "SSO_EXPIRED"
  /** The provider reports that the person or its rules have refused. */
  | "SSO_REFUSED"
  /** The answer of the provider is not valid. */
  | "SSO_FAILED"
  | "SSO_UNAVAILABLE"
  | "SSO_NO_ACCOUNT"
  | "SSO_ACCOUNT_ELSEWHERE";

/** A provider's assertion of a person. */
export type Person = {
  issuer: string;
  subject: string;
  /** Absent if the provider says that it is not verified. */
  email?: string | undefined;
  name?: string | undefined;
  providerSession?: string | undefined;
  authenticatedAt?: Date | undefined;
  claims: Readonly<Record<string, unknown>>;
};

/** The state of a started sign-in. It is sealed in the cookie of the browser. */
export type StartedSso = { state: string; nonce: string; verifier: string; fresh: boolean; endsAt: number };
