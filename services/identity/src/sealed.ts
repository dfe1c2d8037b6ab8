import { idempotencySealed, type SealedField } from "@asset-register/mongo";
import type { SealedPlace } from "@asset-register/runtime";
import { accountMailRecords } from "./store/account-mails.ts";
import { secondFactorRecords } from "./store/second-factors.ts";
import { ssoCodeRecords } from "./store/sso/codes.ts";
import { ssoConnectionRecords } from "./store/sso/connections.ts";
import { ssoSessionRecords } from "./store/sso/sessions.ts";

const { collection } = accountMailRecords;

const factorSecrets = ["totp.secret", "startedTotp.secret", "recovery.key"].map((path) => ({
  collection: secondFactorRecords.collection,
  path,
}));

/**
 * Where secrets are kept sealed: tokens that are to be mailed, secrets of second factors,
 * secrets and tokens of providers, and answers that are kept for an Idempotency-Key.
 */
export const sealed: SealedField[] = [
  { collection, path: "token" },
  { collection: ssoConnectionRecords.collection, path: "clientSecret" },
  { collection: ssoSessionRecords.collection, path: "refreshToken" },
  { collection: ssoCodeRecords.collection, path: "refreshToken" },
  ...factorSecrets,
  ...idempotencySealed,
];

/** To what the token in a queued mail is bound. */
export const tokenPlace = (mailId: string): SealedPlace => ({
  service: "identity",
  collection,
  recordId: mailId,
});
