import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { deletedZoneRecords } from "../src/store/zones/deleted-zones.ts";

/** The names of zones that are deleted from now on. */
export const deletedZones: Migration = {
  id: "0006-deleted-zones",
  up: (mongo) => ensureRecordIndexes(mongo, deletedZoneRecords),
};
