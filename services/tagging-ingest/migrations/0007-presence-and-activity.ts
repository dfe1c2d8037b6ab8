import { ensureIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { presentTagRecords } from "../src/store/presence/present-tags.ts";
import { readerHours } from "../src/store/readers/reader-hours.ts";
import { readerRecords } from "../src/store/readers/readers.ts";

/**
 * Indexes for the tags in a zone, the activity of readers and filters of readers. The row of a tag that is in a zone
 * already is written at its next read; see `listed` of presences.
 */
export const presenceAndActivity: Migration = {
  id: "0007-presence-and-activity",
  async up(mongo) {
    await ensureRecordIndexes(mongo, readerRecords, presentTagRecords);
    await ensureIndexes(mongo, readerHours.collection, readerHours.indexes);
    await ensureSystemIndexes(mongo, readerHours.collection, readerHours.systemIndexes);
  },
};
