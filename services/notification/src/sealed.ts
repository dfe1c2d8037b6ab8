import { idempotencySealed, type SealedField } from "@asset-register/mongo";
import { ENDPOINTS } from "./store/endpoints.ts";

/** Where secrets are kept sealed: those of subscriptions and rules, and answers that told them. */
export const sealed: SealedField[] = [{ collection: ENDPOINTS, path: "secret" }, ...idempotencySealed];
