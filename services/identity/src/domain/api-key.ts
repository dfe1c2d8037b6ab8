import type { Actor } from "@asset-register/rpc";
import { checkedText, conflict } from "@asset-register/runtime";

/** The scopes of surface A. */
export const scopes = [
  "assets:read",
  "assets:write",
  "checkouts:write",
  "tags:read",
  "tags:write",
  "locations:read",
  "zones:write",
  "reader-events:write",
  "webhooks:read",
  "webhooks:write",
  "events:read",
  "finance",
] as const;
export type Scope = (typeof scopes)[number];

/** The fields that a caller may write. */
export type ApiKeyFields = {
  name: string;
  scopes: Scope[];
  /** Addresses and CIDR blocks that the key may be used from. Empty means any. */
  allowedAddresses: string[];
  expiresAt?: Date | undefined;
};

/** A key of surface A. */
export type ApiKey = ApiKeyFields & {
  id: string;
  workspaceId: string;
  /** SHA-256 of its text, in hex. */
  hash: string;
  /** Texts from before rotations. They are accepted until their overlaps end. */
  previous: PreviousText[];
  lastUsedAt?: Date | undefined;
  /** From where it was used then. */
  lastUsedAddress?: string | undefined;
  rotatedAt?: Date | undefined;
  createdAt: Date;
  createdBy: Actor;
  revokedAt?: Date | undefined;
  /** Counts changes, from 1. Using the key is not a change. */
  rev: number;
};

/** How many days before its expiry the admins were warned. */
export type WarnedDays = 14 | 2;

export type PreviousText = { hash: string; endsAt: Date };

/** A key's text from random bytes: "ask_live_" and 36 digits. The last 6 digits are a checksum. */
export const apiKeyText = (random: Uint8Array): string => checkedText("ask_live_", random);

/** Each scope once, in the order of the list. */
export function distinctScopes(given: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => given.includes(scope));
}

/** How long the present text is still accepted after a rotation, unless the caller says otherwise. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

/** Earlier texts of one key that are accepted at the same time. */
const MAX_PREVIOUS = 5;

/**
 * The key with a new text and the next rev. The present text is accepted until the overlap ends. Earlier texts end no
 * later, so an overlap of 0 ends all of them.
 * @throws AppError API_KEY_ENDED, API_KEY_ROTATED_TOO_OFTEN
 */
export function rotate(key: ApiKey, hash: string, overlapSeconds: number, now: Date): ApiKey {
  if (!isUsable(key, now))
    throw conflict("API_KEY_ENDED", "The API key is revoked or has expired.", [
      { field: "key_id", message: key.id },
    ]);
  const end = new Date(now.getTime() + overlapSeconds * 1_000);
  const previous = [{ hash: key.hash, endsAt: end }, ...key.previous]
    .map((text) => ({ ...text, endsAt: text.endsAt < end ? text.endsAt : end }))
    .filter(({ endsAt }) => endsAt > now);
  if (previous.length > MAX_PREVIOUS) {
    throw conflict(
      "API_KEY_ROTATED_TOO_OFTEN",
      `${MAX_PREVIOUS} earlier texts of the API key are still accepted. Wait, or rotate with an overlap of 0.`,
      [{ field: "overlap_seconds", message: "must be 0" }],
    );
  }
  return { ...key, hash, previous, rotatedAt: now, rev: key.rev + 1 };
}

/** When the text with this hash ends: undefined for never, `now` for a text that the key does not have. */
export function endOfText(key: ApiKey, hash: string, now: Date): Date | undefined {
  const previous = key.previous.find((text) => text.hash === hash);
  const textEnds = key.hash === hash ? undefined : (previous?.endsAt ?? now);
  const ends = [key.expiresAt, key.revokedAt, textEnds].filter((end) => end !== undefined);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** When the last earlier text ends. */
export function previousValidUntil({ previous }: Pick<ApiKey, "previous">, now: Date): Date | undefined {
  const ends = previous.map(({ endsAt }) => endsAt).filter((end) => end > now);
  return ends.toSorted((a, b) => b.getTime() - a.getTime())[0];
}

/** Whether the key is neither revoked nor expired. */
export function isUsable(key: Pick<ApiKey, "revokedAt" | "expiresAt">, now: Date): boolean {
  return (
    (key.revokedAt === undefined || key.revokedAt > now) &&
    (key.expiresAt === undefined || key.expiresAt > now)
  );
}
