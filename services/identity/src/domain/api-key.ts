import { isIP } from "node:net";
import { limits } from "@asset-register/proto/limits";
import type { Actor } from "@asset-register/rpc";
import { checkedText, conflict, type FieldViolation } from "@asset-register/runtime";
import { text, violation } from "./violations.ts";

/** Everything that a key may be allowed on surface A. */
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
  "finance",
] as const;
export type Scope = (typeof scopes)[number];

/** A key of surface A. Of its text only the SHA-256 is kept. */
export type ApiKey = {
  id: string;
  workspaceId: string;
  name: string;
  hash: string;
  scopes: Scope[];
  /** Addresses and CIDR blocks that it may be used from; none for any. */
  allowedAddresses: string[];
  /** Texts from before rotations, by hash, until their overlaps end. */
  previous: PreviousText[];
  expiresAt?: Date;
  lastUsedAt?: Date;
  rotatedAt?: Date;
  createdAt: Date;
  createdBy: Actor;
  revokedAt?: Date;
  /** Raised by each change of its rights. */
  version: number;
};

export type PreviousText = { hash: string; endsAt: Date };

export type NewApiKey = { name: string; scopes: string[]; expiresAt?: Date; allowedAddresses: string[] };

/** A key's text from random bytes, "ask_live_" and 36 digits, the last 6 of them a checksum. */
export const apiKeyText = (random: Uint8Array): string => checkedText("ask_live_", random);

const isScope = (scope: string): scope is Scope => scopes.some((known) => known === scope);

/** The known scopes among `given`, each once, in the order of the list. */
export function knownScopes(given: readonly string[]): Scope[] {
  const wanted = new Set(given.filter(isScope));
  return scopes.filter((scope) => wanted.has(scope));
}

/** Violations of a key that is to be made at `now`. */
export function checkNewApiKey(key: NewApiKey, now: Date): FieldViolation[] {
  const { name, scopes: wanted, expiresAt, allowedAddresses } = key;
  return [
    ...text("name", name, limits.accountName),
    ...violation(wanted.length === 0, "scopes", "must name at least one scope"),
    ...wanted.flatMap((scope, index) =>
      violation(!isScope(scope), `scopes.${index}`, "is not a known scope"),
    ),
    ...violation(expiresAt !== undefined && expiresAt <= now, "expires_at", "must be in the future"),
    ...violation(
      allowedAddresses.length > limits.allowedAddresses,
      "allowed_addresses",
      `must be at most ${limits.allowedAddresses}`,
    ),
    ...allowedAddresses.flatMap((address, index) =>
      violation(!isBlock(address), `allowed_addresses.${index}`, "must be an IP address or a CIDR block"),
    ),
  ];
}

/** Whether `text` is an IP address of either family, or such a one and the length of a prefix. */
function isBlock(text: string): boolean {
  const [, address = "", prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(prefix ?? "0") <= (family === 4 ? 32 : 128);
}

/** How long a text is taken after it was rotated away, in seconds. */
export const overlap = { usual: 86_400, max: limits.overlapSeconds } as const;

/** So many texts of one key are taken beside its newest. */
export const PREVIOUS_MAX = 5;

/** Violations of an overlap, in seconds. */
export function checkOverlap(seconds: number): FieldViolation[] {
  const wrong = !Number.isInteger(seconds) || seconds < 0 || seconds > overlap.max;
  return violation(wrong, "overlap_seconds", `must be a whole number from 0 to ${overlap.max}`);
}

/**
 * The key with a new text, one version on. The text of now is taken for the
 * overlap more; texts of rotations before end no later, so that an overlap of 0
 * ends all of them.
 *
 * @throws AppError API_KEY_ENDED, API_KEY_ROTATED_TOO_OFTEN
 */
export function rotate(key: ApiKey, hash: string, overlapSeconds: number, now: Date): ApiKey {
  if (!isUsable(key, now)) throw conflict("API_KEY_ENDED", "The key is revoked or has expired");
  const ends = new Date(now.getTime() + overlapSeconds * 1_000);
  const previous = [{ hash: key.hash, endsAt: ends }, ...key.previous]
    .map((text) => ({ ...text, endsAt: text.endsAt < ends ? text.endsAt : ends }))
    .filter(({ endsAt }) => endsAt > now);
  if (previous.length > PREVIOUS_MAX) {
    throw conflict(
      "API_KEY_ROTATED_TOO_OFTEN",
      `${PREVIOUS_MAX} earlier texts of the key are still taken: wait, or rotate without an overlap`,
    );
  }
  return { ...key, hash, previous, rotatedAt: now, version: key.version + 1 };
}

/** When the text with this hash is taken no more: undefined for never, `now` for a text that is not the key's. */
export function endOfText(key: ApiKey, hash: string, now: Date): Date | undefined {
  const textEnds = key.hash === hash ? undefined : (previousEnd(key, hash) ?? now);
  const ends = [key.expiresAt, key.revokedAt, textEnds].filter((end) => end !== undefined);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

const previousEnd = ({ previous }: ApiKey, hash: string): Date | undefined =>
  previous.find((text) => text.hash === hash)?.endsAt;

/** Until when any text from before the last rotation is taken. */
export function previousValidUntil({ previous }: Pick<ApiKey, "previous">, now: Date): Date | undefined {
  const ends = previous.map(({ endsAt }) => endsAt).filter((end) => end > now);
  return ends.toSorted((a, b) => b.getTime() - a.getTime())[0];
}

/** Whether the key may be used at `now`. */
export function isUsable(key: Pick<ApiKey, "revokedAt" | "expiresAt">, now: Date): boolean {
  return (
    (key.revokedAt === undefined || key.revokedAt > now) &&
    (key.expiresAt === undefined || key.expiresAt > now)
  );
}
