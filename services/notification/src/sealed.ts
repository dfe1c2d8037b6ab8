import { idempotencySealed, type SealedField } from "@asset-register/mongo";
import { endpointRecords } from "./store/webhooks/endpoints.ts";

/** Where secrets are kept sealed: those of endpoints, and the answers that are kept for an Idempotency-Key. */
export const sealed: SealedField[] = [
  { collection: endpointRecords.collection, path: "secret" },
  { collection: endpointRecords.collection, path: "previousSecret.sealed" },
  ...idempotencySealed,
];
