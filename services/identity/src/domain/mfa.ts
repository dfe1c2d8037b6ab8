import { createHmac, randomBytes } from "node:crypto";
import type { Sealed } from "@asset-register/runtime";
import { verifySync } from "otplib";

export type MfaMethod = "totp" | "recovery_code" | "passkey";

/** The second factors of a user, except passkeys, which are records of their own. */
export type SecondFactors = {
  /** The user's. */
  id: string;
  workspaceId: string;
  /** By which authenticators know the user: 256 random bits in base64url. */
  userHandle: string;
  totp?: Totp | undefined;
  /** A secret that is not confirmed yet. */
  startedTotp?: { secret: Sealed; expiresAt: Date } | undefined;
  recovery?: { key: Sealed; hashes: string[] } | undefined;
  rev: number;
};

/** `lastStep` is the latest time step whose code was used. */
export type Totp = { secret: Sealed; addedAt: Date; lastStep: number };

export type Passkey = {
  id: string;
  workspaceId: string;
  userId: string;
  name: string;
  /** In base64url, as the next. Unique on the platform. */
  credentialId: string;
  publicKey: string;
  /** The authenticator's count of uses; 0 in those that do not count. */
  counter: number;
  transports: string[];
  /** The WEBAUTHN_RP_ID for which it was made. It works for no other. */
  rpId: string;
  synced: boolean;
  createdAt: Date;
  lastUsedAt?: Date | undefined;
  rev: number;
};

export const MAX_PASSKEYS = 20;
/** 160 bits, as RFC 4226 recommends. */
export const TOTP_SECRET_BYTES = 20;
export const TOTP_STARTED_MS = 10 * 60_000;
const STEP_SECONDS = 30;

/** The time step of a code, which may be one step early or late. Undefined when the code is wrong or was used. */
export function stepOfCode(
  secret: Uint8Array,
  code: string,
  lastStep: number,
  now: Date,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const found = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS });
  if (!found.valid || !("timeStep" in found)) return undefined;
  return found.timeStep > lastStep ? found.timeStep : undefined;
}

const RECOVERY_CODES = 10;
/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** 10 codes of 50 bits each: "7k2mx-q0d9h". */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = [...randomBytes(10)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });
}

/** The stored form of a code. Case, hyphens and letters that look like digits do not matter. */
export function hashRecoveryCode(key: Uint8Array, code: string): string {
  const plain = code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  return createHmac("sha256", key).update(plain).digest("hex");
}
