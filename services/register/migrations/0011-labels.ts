import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { labelRowRecords } from "../src/store/labels/label-rows.ts";
import { labelSheetRecords } from "../src/store/labels/label-sheets.ts";

/** Sheets of labels and their labels are removed when they expire. The sweep of blobs removes their files. */
export const labels: Migration = {
  id: "0011-labels",
  up: async (mongo) => {
    await ensureRecordIndexes(mongo, labelSheetRecords, labelRowRecords);
    await ensureLongWorkIndexes(mongo, labelSheetRecords.collection);
    for (const { collection } of [labelSheetRecords, labelRowRecords])
      await ensureSystemIndexes(mongo, collection, [
        { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
      ]);
  },
};
