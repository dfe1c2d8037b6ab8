import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetRecords } from "../src/store/assets.ts";
import { bookStateRecords } from "../src/store/book-states.ts";
import { categoryRecords } from "../src/store/categories.ts";
import { disposalRecords } from "../src/store/disposals.ts";
import { profileRecords } from "../src/store/profiles.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    const records = [assetRecords, bookStateRecords, categoryRecords, disposalRecords, profileRecords];
    await ensureRecordIndexes(mongo, ...records);
    await ensureLongWorkIndexes(mongo, disposalRecords.collection);
  },
};
