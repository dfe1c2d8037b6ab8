import { idempotencySealed, type SealedField } from "@asset-register/mongo";
import type { SealedPlace } from "@asset-register/runtime";
import { invitationMailRecords } from "./store/invitation-mails.ts";

const { collection } = invitationMailRecords;

/** Where secrets are kept sealed: tokens that are to be mailed, and answers that are kept for an Idempotency-Key. */
export const sealed: SealedField[] = [{ collection, path: "token" }, ...idempotencySealed];

/** To what the token in the mail of a user's invitation is bound. */
export const tokenPlace = (userId: string): SealedPlace => ({
  service: "identity",
  collection,
  recordId: userId,
});
