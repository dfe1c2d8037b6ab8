import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { resolutionRecords } from "../src/store/resolutions.ts";
import { scannedCodeRecords } from "../src/store/scanned-codes.ts";
import { stampingRecords } from "../src/store/stampings.ts";
import { varianceRecords } from "../src/store/variances.ts";

/** Reconciles, resolutions and stamping. */
export const results: Migration = {
  id: "0002-results",
  async up(mongo) {
    await ensureRecordIndexes(mongo, resolutionRecords, scannedCodeRecords, stampingRecords, varianceRecords);
    for (const { collection } of [resolutionRecords, stampingRecords]) {
      await ensureLongWorkIndexes(mongo, collection);
    }
  },
};
