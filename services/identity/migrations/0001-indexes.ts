import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { apiKeyRecords } from "../src/store/api-keys.ts";
import { auditRecords } from "../src/store/audit-log.ts";
import { refreshTokenRecords } from "../src/store/refresh-tokens.ts";
import { sessionRecords } from "../src/store/sessions.ts";
import { SIGN_IN_LIMITS } from "../src/store/sign-in-limits.ts";
import { USERS_BY_EMAIL, userRecords } from "../src/store/users.ts";
import { workspaceRecords } from "../src/store/workspaces.ts";

/** Finds documents in which the field is present, before their workspace is known. */
const lookUp = (field: string) => ({
  key: { [field]: 1 } as const,
  partialFilterExpression: { [field]: { $exists: true } },
});

/** MongoDB removes a document when the time in the field has come. */
const removeAt = (field: string) => ({ key: { [field]: 1 } as const, expireAfterSeconds: 0 });

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    await ensureRecordIndexes(
      mongo,
      apiKeyRecords,
      auditRecords,
      refreshTokenRecords,
      sessionRecords,
      userRecords,
      workspaceRecords,
    );
    // These span all workspaces.
    await ensureSystemIndexes(mongo, userRecords.collection, [
      { key: { emailKey: 1 }, name: USERS_BY_EMAIL, unique: true },
      { ...lookUp("invitationHash"), unique: true },
      removeAt("invitationExpiresAt"),
    ]);
    await ensureSystemIndexes(mongo, apiKeyRecords.collection, [
      { key: { hash: 1 }, unique: true },
      lookUp("previous.hash"),
    ]);
    await ensureSystemIndexes(mongo, sessionRecords.collection, [
      { key: { "accessTokens.hash": 1 } },
      removeAt("expiresAt"),
    ]);
    // Spent tokens stay until their family ends, so that reuse is noticed.
    await ensureSystemIndexes(mongo, refreshTokenRecords.collection, [removeAt("familyEndsAt")]);
    await ensureSystemIndexes(mongo, SIGN_IN_LIMITS, [removeAt("expiresAt")]);
    await ensureSystemIndexes(mongo, auditRecords.collection, [removeAt("expiresAt")]);
  },
};
