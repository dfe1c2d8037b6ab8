import type { Migration } from "@asset-register/mongo";
import { createDayCollections } from "../src/store/day-collections.ts";
import { eventDays } from "../src/store/ingest/event-log.ts";

/** Indexes for the reads of a reader and of a tag, in the days that exist. New days are created with them. */
export const listsOfDays: Migration = {
  id: "0008-lists-of-days",
  up: (mongo) => createDayCollections(mongo, eventDays).ensureAllIndexes(),
};
