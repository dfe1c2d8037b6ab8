import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { statusRecords } from "../src/store/assets/statuses.ts";

/** Pages of statuses are read in the order of use and id. */
export const statusOrder: Migration = {
  id: "0008-status-order",
  up: (mongo) => ensureRecordIndexes(mongo, statusRecords),
};
