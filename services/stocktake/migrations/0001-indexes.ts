import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { expectedAssetRecords } from "../src/store/expected-assets.ts";
import { scanRecords } from "../src/store/scans.ts";
import { sessionRecords } from "../src/store/sessions.ts";
import { varianceRecords } from "../src/store/variances.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    await ensureRecordIndexes(mongo, expectedAssetRecords, scanRecords, sessionRecords, varianceRecords);
    await ensureLongWorkIndexes(mongo, sessionRecords.collection);
  },
};
