import { ensureRecordIndexes, type Migration, type RetiredIndexes } from "@asset-register/mongo";
import { assetRecords } from "../src/store/assets/asset-records.ts";

/** Words have the order of ids, and the index of properties contains the other filters of lists. */
export const listIndexes: Migration = {
  id: "0013-list-indexes",
  up: (mongo) => ensureRecordIndexes(mongo, assetRecords),
};

export const retiredListIndexes: RetiredIndexes = {
  collection: assetRecords.collection,
  names: ["by_propertyId", "counted_by_propertyId", "counted_by_tokens"],
  replacedBy: listIndexes,
};
