/** Whose an Idempotency-Key is. */
export type KeyOwner = {
  workspaceId: string;
  /** For example "key:key_01h...": two callers may use the same key text. */
  principal: string;
};

/** A command under an Idempotency-Key: what its row is found by, and how its result is kept. */
export type KeyedCall = KeyOwner & {
  /** Full name of the RPC. */
  route: string;
  key: string;
  /** SHA-256 of the request as it came, in hex. Not to be stored: it may be that of a password. */
  fingerprint: string;
  /** The response has fields marked debug_redact: keep it encrypted. */
  secret: boolean;
  /** The response's bytes for what the operation returned. */
  encode(result: unknown): Uint8Array;
};
