import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { attachmentRecords } from "../src/store/attachments.ts";
import { calibrationRecords } from "../src/store/calibrations.ts";
import { contractRecords } from "../src/store/contracts.ts";
import { statusEntryRecords } from "../src/store/status-entries.ts";
import { workOrderRecords } from "../src/store/work-orders.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  up: (mongo) =>
    ensureRecordIndexes(
      mongo,
      attachmentRecords,
      calibrationRecords,
      contractRecords,
      statusEntryRecords,
      workOrderRecords,
    ),
};
