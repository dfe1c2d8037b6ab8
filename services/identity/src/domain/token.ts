import { createHash, createHmac } from "node:crypto";
import type { TokenPurpose } from "./account-token.ts";

/** Random bytes of a token: 256 bits. */
export const TOKEN_BYTES = 32;

/** The two tokens of a sign-in or a refresh. */
export type TokenPair = { accessToken: string; refreshToken: string };

const encode = (prefix: "at_" | "rt_" | "it_" | "pr_" | "ec_", bytes: Uint8Array): string =>
  `${prefix}${Buffer.from(bytes).toString("base64url")}`;

/** Tokens from random bytes, `TOKEN_BYTES` each. */
export function tokenPair(access: Uint8Array, refresh: Uint8Array): TokenPair {
  return { accessToken: encode("at_", access), refreshToken: encode("rt_", refresh) };
}

/** The token of an invitation, from random bytes. */
export function invitationToken(bytes: Uint8Array): string {
  return encode("it_", bytes);
}

/** The token of a mail to the owner of an account, from random bytes. */
export function accountToken(purpose: TokenPurpose, bytes: Uint8Array): string {
  return encode(purpose === "password_reset" ? "pr_" : "ec_", bytes);
}

/**
 * The successor of a spent refresh token. It is the same for the same token and Idempotency-Key, so a lost answer can
 * be given again although no token is stored. It can't be computed without the server key.
 */
export function successorPair(pepper: string, spent: string, idempotencyKey: string): TokenPair {
  const derive = (use: string): Buffer =>
    createHmac("sha256", pepper)
      .update(JSON.stringify([use, spent, idempotencyKey]))
      .digest();
  return tokenPair(derive("access"), derive("refresh"));
}

/** SHA-256 in hex. Tokens, keys and addresses are stored in this form only. */
export function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
