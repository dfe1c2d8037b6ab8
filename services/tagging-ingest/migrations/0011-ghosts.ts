import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { tagRecords } from "../src/store/tags/tags.ts";

/** The list of ghosts. */
export const ghosts: Migration = {
  id: "0011-ghosts",
  up: (mongo) => ensureRecordIndexes(mongo, tagRecords),
};
