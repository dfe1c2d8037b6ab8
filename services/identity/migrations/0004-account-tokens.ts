import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { accountTokenRecords } from "../src/store/account-tokens.ts";
import { userRecords } from "../src/store/users.ts";

export const accountTokens: Migration = {
  id: "0004-account-tokens",
  async up(mongo) {
    await ensureRecordIndexes(mongo, accountTokenRecords);
    await ensureSystemIndexes(mongo, accountTokenRecords.collection, [
      { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    ]);
    // An invited person may have forgotten that there is no password yet: the invitations of an email.
    await ensureSystemIndexes(mongo, userRecords.collection, [
      { key: { invitedKey: 1 }, partialFilterExpression: { invitedKey: { $exists: true } } },
    ]);
  },
};
