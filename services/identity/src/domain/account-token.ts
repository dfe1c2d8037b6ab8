const MINUTE = 60_000;

/** A mailed token. Its holder reads the mail of an address. */
export type TokenPurpose = "password_reset" | "email_change";

/** How long a token is valid, in milliseconds. */
export const tokenLifetimes = {
  password_reset: 30 * MINUTE,
  email_change: 24 * 60 * MINUTE,
} as const satisfies Record<TokenPurpose, number>;

/** Mails to one account in a time, so that nobody can flood a mailbox. */
export const mailLimits = {
  windowMs: 60 * MINUTE,
  /** Of those that anybody can ask for. */
  resets: 3,
  /** Of those that the user asks for, to any address. */
  emailChanges: 5,
} as const;

/** A token that was mailed to the owner of an account. It is removed when it is used. */
export type AccountToken = {
  /** SHA-256 of the token, in hex. */
  id: string;
  workspaceId: string;
  userId: string;
  purpose: TokenPurpose;
  /** The new address. */
  email?: string | undefined;
  /** The session that asked for the new address. It does not end with the change. */
  sessionId?: string | undefined;
  createdAt: Date;
  /** MongoDB removes the token then. */
  expiresAt: Date;
};
