import { blobMigration } from "@asset-register/blobs";
import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetRecords } from "../src/store/assets/asset-records.ts";

/** The blobs of images, and the images of a blob. */
export const images: Migration = {
  id: "0005-images",
  async up(mongo) {
    await blobMigration.up(mongo);
    await ensureRecordIndexes(mongo, assetRecords);
  },
};
