import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { readerBaselineRecords } from "../src/store/readers/reader-baselines.ts";

/** One row for each fixed portal. */
export const readerBaselines: Migration = {
  id: "0012-reader-baselines",
  up: (mongo) => ensureRecordIndexes(mongo, readerBaselineRecords),
};
