import { inboxMigration } from "@asset-register/events";
import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetTagProjection } from "../src/store/assets/asset-tags.ts";

export const assetTags: Migration = {
  id: "0003-asset-tags",
  up: (mongo) => ensureRecordIndexes(mongo, assetTagProjection),
};

/** Auto-moves are applied once. */
export const inbox: Migration = inboxMigration;
