import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { sessionRecords } from "../src/store/sessions.ts";

/** An index for the sessions that are in progress. */
export const sessionStatus: Migration = {
  id: "0004-session-status",
  up: (mongo) => ensureRecordIndexes(mongo, sessionRecords),
};
