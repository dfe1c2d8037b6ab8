/** The owner of an Idempotency-Key. */
export type KeyOwner = {
  workspaceId: string;
  /** For example "key:key_01h...". Different principals may use the same key. */
  principal: string;
};

/** A command with an Idempotency-Key: the identity of its row, and how its result is stored. */
export type KeyedCall = KeyOwner & {
  /** Full name of the RPC. */
  route: string;
  key: string;
  /** SHA-256 of the received request, in hex. Never store it: the request may contain a password. */
  fingerprint: string;
  /** The response has fields marked debug_redact, so it must be stored encrypted. */
  secret: boolean;
  /** Encodes the result of the operation to the bytes of the response. */
  encode(result: unknown): Uint8Array;
};
