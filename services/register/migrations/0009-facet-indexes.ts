import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetRecords } from "../src/store/assets/asset-records.ts";

/** Facets count without reading documents. */
export const facetIndexes: Migration = {
  id: "0009-facet-indexes",
  up: (mongo) => ensureRecordIndexes(mongo, assetRecords),
};
