import { ensureRecordIndexes, type Migration, type RetiredIndexes } from "@asset-register/mongo";
import { selectionFields } from "../src/store/assets/asset-indexes.ts";
import { assetRecords } from "../src/store/assets/asset-records.ts";

/** Lists, scopes, reports and facets share the indexes of assets. */
export const sharedIndexes: Migration = {
  id: "0012-shared-indexes",
  up: (mongo) => ensureRecordIndexes(mongo, assetRecords),
};

export const retiredAssetIndexes: RetiredIndexes = {
  collection: assetRecords.collection,
  names: [
    ...selectionFields.flatMap((field) => [field, `scope_${field}`, `figures_${field}`, `report_${field}`]),
    ...["tokens", "facets_tokens", "facets_propertyId"],
  ],
  replacedBy: sharedIndexes,
};
