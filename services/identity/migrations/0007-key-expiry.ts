import type { Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { apiKeyRecords } from "../src/store/api-keys.ts";

/** Finds the keys of all workspaces that expire soon. */
export const keyExpiry: Migration = {
  id: "0007-key-expiry",
  up: (mongo) =>
    ensureSystemIndexes(mongo, apiKeyRecords.collection, [
      { key: { expiresAt: 1 }, partialFilterExpression: { expiresAt: { $exists: true } } },
    ]),
};
