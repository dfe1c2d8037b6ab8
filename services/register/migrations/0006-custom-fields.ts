import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { customFieldRecords } from "../src/store/custom-fields.ts";
import { uniqueValueRecords } from "../src/store/unique-values.ts";

export const customFields: Migration = {
  id: "0006-custom-fields",
  async up(mongo) {
    await ensureRecordIndexes(mongo, customFieldRecords, uniqueValueRecords);
    await ensureLongWorkIndexes(mongo, customFieldRecords.collection);
  },
};
