import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetProjection } from "../src/store/assets.ts";
import { bookStateRecords } from "../src/store/book-states.ts";
import { categoryProjection } from "../src/store/categories.ts";
import { disposalRecords } from "../src/store/disposals.ts";
import { profileRecords } from "../src/store/profiles.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    const records = [assetProjection, bookStateRecords, categoryProjection, disposalRecords, profileRecords];
    await ensureRecordIndexes(mongo, ...records);
    await ensureLongWorkIndexes(mongo, disposalRecords.collection);
  },
};
