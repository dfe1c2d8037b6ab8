import { idempotencySealed, type SealedField } from "@asset-register/mongo";

/** Where secrets are kept sealed: in answers that are kept for an Idempotency-Key alone. */
export const sealed: SealedField[] = [...idempotencySealed];
