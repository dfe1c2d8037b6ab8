import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { archiveRecords } from "../src/store/archive/archives.ts";

/** The records of files with the rows of days. A day is moved, and expires, for all workspaces. */
export const archives: Migration = {
  id: "0014-archives",
  up: async (mongo) => {
    await ensureRecordIndexes(mongo, archiveRecords);
    await ensureSystemIndexes(mongo, archiveRecords.collection, [{ name: "all", key: { day: 1, kind: 1 } }]);
  },
};
