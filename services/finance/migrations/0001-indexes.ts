import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { disposalRecords } from "../src/store/disposals/disposals.ts";
import { bookStateRecords } from "../src/store/ledger/book-states.ts";
import { assetProjection } from "../src/store/profiles/assets.ts";
import { categoryProjection } from "../src/store/profiles/categories.ts";
import { profileRecords } from "../src/store/profiles/profiles.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  async up(mongo) {
    const records = [assetProjection, bookStateRecords, categoryProjection, disposalRecords, profileRecords];
    await ensureRecordIndexes(mongo, ...records);
    await ensureLongWorkIndexes(mongo, disposalRecords.collection);
  },
};
