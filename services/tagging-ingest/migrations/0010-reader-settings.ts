import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { readerSettingsRecords } from "../src/store/readers/reader-settings.ts";

/** One row of settings for each workspace. */
export const readerSettings: Migration = {
  id: "0010-reader-settings",
  up: (mongo) => ensureRecordIndexes(mongo, readerSettingsRecords),
};
