import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { uniqueValueRecords } from "../src/store/assets/unique-values.ts";
import { customFieldRecords } from "../src/store/custom-fields/custom-fields.ts";

export const customFields: Migration = {
  id: "0006-custom-fields",
  async up(mongo) {
    await ensureRecordIndexes(mongo, customFieldRecords, uniqueValueRecords);
    await ensureLongWorkIndexes(mongo, customFieldRecords.collection);
  },
};
