import { crc32 } from "node:zlib";
import type { Actor } from "@asset-register/rpc";
import type { FieldViolation } from "@asset-register/runtime";
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
  expiresAt?: Date;
  lastUsedAt?: Date;
  createdAt: Date;
  createdBy: Actor;
  revokedAt?: Date;
  /** Raised by each change of its rights. */
  version: number;
};

export type NewApiKey = { name: string; scopes: string[]; expiresAt?: Date };

const PREFIX = "ask_live_";
const BODY = 30;
const CHECKSUM = 6;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = "";
  while (digits.length < length) {
    digits = DIGITS.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}

// 62^6 is above 2^32, so six digits hold every CRC32.
const checksum = (body: string): string => base62(BigInt(crc32(PREFIX + body)), CHECKSUM);

/**
 * A key's text from random bytes: "ask_live_", 30 base62 digits, and the CRC32
 * of both in 6 digits, by which scanners tell a real key from a look-alike.
 * 32 bytes leave a bias below 2^-77.
 */
export function apiKeyText(random: Uint8Array): string {
  const body = base62(BigInt(`0x${Buffer.from(random).toString("hex")}`), BODY);
  return `${PREFIX}${body}${checksum(body)}`;
}

/** Whether `text` has the form and the checksum of a key. */
export function isApiKeyText(text: string): boolean {
  const parts = /^ask_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text);
  return parts?.[1] !== undefined && parts[2] === checksum(parts[1]);
}

const isScope = (scope: string): scope is Scope => scopes.some((known) => known === scope);

/** The known scopes among `given`, each once, in the order of the list. */
export function knownScopes(given: readonly string[]): Scope[] {
  const wanted = new Set(given.filter(isScope));
  return scopes.filter((scope) => wanted.has(scope));
}

/** Violations of a key that is to be made at `now`. */
export function checkNewApiKey({ name, scopes: wanted, expiresAt }: NewApiKey, now: Date): FieldViolation[] {
  return [
    ...text("name", name, 100),
    ...violation(wanted.length === 0, "scopes", "must name at least one scope"),
    ...wanted.flatMap((scope, index) =>
      violation(!isScope(scope), `scopes[${index}]`, "is not a known scope"),
    ),
    ...violation(expiresAt !== undefined && expiresAt <= now, "expires_at", "must be in the future"),
  ];
}

/** Whether the key may be used at `now`. */
export function isUsable(key: Pick<ApiKey, "revokedAt" | "expiresAt">, now: Date): boolean {
  return (
    (key.revokedAt === undefined || key.revokedAt > now) &&
    (key.expiresAt === undefined || key.expiresAt > now)
  );
}
