import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { readerRecords } from "../src/store/readers/readers.ts";
import { tagRecords } from "../src/store/tags/tags.ts";
import { zoneRecords } from "../src/store/zones/zones.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    await ensureRecordIndexes(mongo, readerRecords, tagRecords, zoneRecords);
    // By partition and time: the due times of all workspaces are in one order.
    await ensureSystemIndexes(mongo, "presences", [
      {
        name: "release",
        key: { partition: 1, releaseAt: 1 },
        partialFilterExpression: { releaseAt: { $exists: true } },
      },
      {
        name: "depart",
        key: { partition: 1, departAt: 1, _id: 1 },
        partialFilterExpression: { departAt: { $exists: true } },
      },
    ]);
  },
};
