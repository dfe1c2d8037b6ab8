import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { tagRecords } from "../src/store/tags/tags.ts";

/** A work of another service makes at most one tag for each asset. */
export const tagCauses: Migration = {
  id: "0005-tag-causes",
  up: (mongo) => ensureRecordIndexes(mongo, tagRecords),
};
