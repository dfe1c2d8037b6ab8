import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { feedEntryRecords } from "../src/store/feed/feed-entries.ts";
import { feedHeadRecords } from "../src/store/feed/feed-heads.ts";

/** The event feed. */
export const feed: Migration = {
  id: "0006-feed",
  up: (mongo) => ensureRecordIndexes(mongo, feedEntryRecords, feedHeadRecords),
};
