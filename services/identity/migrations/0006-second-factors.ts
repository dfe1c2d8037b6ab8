import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { PASSKEYS_BY_CREDENTIAL, passkeyRecords } from "../src/store/passkeys.ts";
import { secondFactorRecords } from "../src/store/second-factors.ts";
import { USED_CHALLENGES } from "../src/store/used-challenges.ts";

export const secondFactors: Migration = {
  id: "0006-second-factors",
  async up(mongo) {
    await ensureRecordIndexes(mongo, secondFactorRecords, passkeyRecords);
    await ensureSystemIndexes(mongo, passkeyRecords.collection, [
      { key: { credentialId: 1 }, name: PASSKEYS_BY_CREDENTIAL, unique: true },
    ]);
    await ensureSystemIndexes(mongo, USED_CHALLENGES, [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }]);
  },
};
