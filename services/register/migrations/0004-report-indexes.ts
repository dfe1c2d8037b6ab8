import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetRecords } from "../src/store/assets/asset-records.ts";

/** Databases that were made before reports have the other indexes already. */
export const reportIndexes: Migration = {
  id: "0004-report-indexes",
  up: (mongo) => ensureRecordIndexes(mongo, assetRecords),
};
