import { idempotencySealed, type SealedField } from "@asset-register/mongo";

/** Where secrets are kept sealed: those of readers and agents, and the answers that are kept for an Idempotency-Key. */
export const sealed: SealedField[] = [
  { collection: "readers", path: "secrets.sealed" },
  { collection: "agents", path: "secret" },
  ...idempotencySealed,
];
