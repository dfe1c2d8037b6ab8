import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { importRowRecords } from "../src/store/imports/import-rows.ts";
import { importRecords } from "../src/store/imports/imports.ts";
import { organisationRecords } from "../src/store/organisation/organisation.ts";

export const imports: Migration = {
  id: "0007-imports",
  up: async (mongo) => {
    await ensureRecordIndexes(mongo, importRecords, importRowRecords, organisationRecords);
    await ensureLongWorkIndexes(mongo, importRecords.collection);
    await ensureSystemIndexes(mongo, importRowRecords.collection, [
      { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    ]);
  },
};
