import { idempotencySealed, type SealedField } from "@asset-register/mongo";

/** Where secrets are kept sealed: only in the answers that are kept for an Idempotency-Key. */
export const sealed: SealedField[] = [...idempotencySealed];
