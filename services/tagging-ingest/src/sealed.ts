import { idempotencySealed, type SealedField } from "@asset-register/mongo";

/** Where secrets are kept sealed: those of readers, the ones of an overlap too, and answers that told them. */
export const sealed: SealedField[] = [
  { collection: "readers", path: "secrets.sealed" },
  ...idempotencySealed,
];
