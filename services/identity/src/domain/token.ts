import { createHash, createHmac } from "node:crypto";

/** Bytes of chance in a token: 256 bits. */
export const TOKEN_BYTES = 32;

/** The two texts that a sign-in or a refresh hands out. */
export type TokenPair = { access: string; refresh: string };

const encode = (prefix: "at_" | "rt_", bytes: Uint8Array): string =>
  `${prefix}${Buffer.from(bytes).toString("base64url")}`;

/** Tokens from fresh random bytes, `TOKEN_BYTES` each. */
export function tokenPair(access: Uint8Array, refresh: Uint8Array): TokenPair {
  return { access: encode("at_", access), refresh: encode("rt_", refresh) };
}

/** The text of an invitation from fresh random bytes. */
export function invitationToken(bytes: Uint8Array): string {
  return `it_${Buffer.from(bytes).toString("base64url")}`;
}

/**
 * The successor of a spent refresh token, the same for the same token and
 * idempotency key: an answer that was lost can be made again though no token
 * is stored. Without the server's key nobody can foresee it.
 */
export function successorPair(pepper: string, spent: string, idempotencyKey: string): TokenPair {
  const derive = (use: string): Buffer =>
    createHmac("sha256", pepper)
      .update(JSON.stringify([use, spent, idempotencyKey]))
      .digest();
  return tokenPair(derive("access"), derive("refresh"));
}

/** SHA-256 in hex: the only form in which a token, a key or an address is stored. */
export function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
