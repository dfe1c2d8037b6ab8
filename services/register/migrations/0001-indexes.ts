import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetRecords } from "../src/store/asset-records.ts";
import { checkoutRecords } from "../src/store/checkouts.ts";
import { historyRecords } from "../src/store/history.ts";
import { movementRecords } from "../src/store/movements.ts";
import { organisationRecords } from "../src/store/organisation.ts";
import { statusRecords } from "../src/store/statuses.ts";

export const indexes: Migration = {
  id: "0001-indexes",
  up: (mongo) =>
    ensureRecordIndexes(
      mongo,
      assetRecords,
      checkoutRecords,
      historyRecords,
      movementRecords,
      organisationRecords,
      statusRecords,
    ),
};
