/** The owner of an Idempotency-Key. */
export type KeyOwner = {
  workspaceId: string;
  /** For example "key:key_01h...". Different principals may use the same key. */
  principal: string;
};

/** The secret in a stored response, and the caller that may get it again. */
export type KeptSecret = {
  /** The session, API key or service that makes this call. It is stored with the response. */
  holder: string;
  isIn(response: Uint8Array): boolean;
  /** Whether the secret in a response can still be used. */
  isValid(response: Uint8Array): Promise<boolean>;
};

/** A command with an Idempotency-Key: the identity of its row, and how its result is stored. */
export type KeyedCall = KeyOwner & {
  /** Full name of the RPC. */
  route: string;
  key: string;
  /** SHA-256 of the received request, in hex. Never store it: the request may contain a password. */
  fingerprint: string;
  /** Set if the response may have a secret (a field marked debug_redact). Then it must be stored encrypted. */
  secret?: KeptSecret | undefined;
  /** Encodes the result of the operation to the bytes of the response. */
  encode(result: unknown): Uint8Array;
};
