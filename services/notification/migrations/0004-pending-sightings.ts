import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { dropWaitingExpiry, waitingSightingRecords } from "../src/store/alerts/waiting-sightings.ts";

/** Sightings wait until they are judged. A sweep, not the database, drops those that have waited for too long. */
export const pendingSightings: Migration = {
  id: "0004-pending-sightings",
  async up(mongo) {
    await dropWaitingExpiry(mongo);
    await ensureRecordIndexes(mongo, waitingSightingRecords);
  },
};
