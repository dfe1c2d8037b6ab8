import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetSyncRecords } from "../src/store/asset-syncs.ts";
import { bookedAmountRecords } from "../src/store/booked-amounts.ts";
import { ledgerRecords } from "../src/store/ledger.ts";
import { runChangeRecords } from "../src/store/run-changes.ts";
import { runLineRecords } from "../src/store/run-lines.ts";
import { runRemovalRecords } from "../src/store/run-removals.ts";
import { runSkipRecords } from "../src/store/run-skips.ts";
import { runWarningRecords } from "../src/store/run-warnings.ts";
import { runRecords } from "../src/store/runs.ts";

/** Runs, with their rows, and the ledger. */
export const runIndexes: Migration = {
  id: "0002-runs",
  async up(mongo) {
    await ensureRecordIndexes(mongo, runRecords, runLineRecords, runSkipRecords, runWarningRecords);
    await ensureRecordIndexes(mongo, runChangeRecords, ledgerRecords, bookedAmountRecords);
    for (const { collection } of [runRecords, runRemovalRecords, assetSyncRecords]) {
      await ensureLongWorkIndexes(mongo, collection);
    }
  },
};
