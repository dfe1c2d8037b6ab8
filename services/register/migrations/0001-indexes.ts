import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetRecords } from "../src/store/assets/asset-records.ts";
import { historyRecords } from "../src/store/assets/history.ts";
import { statusRecords } from "../src/store/assets/statuses.ts";
import { checkoutRecords } from "../src/store/custody/checkouts.ts";
import { movementRecords } from "../src/store/custody/movements.ts";
import { organisationRecords } from "../src/store/organisation/organisation.ts";

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
