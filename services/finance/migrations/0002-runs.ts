import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { bookedAmountRecords } from "../src/store/ledger/booked-amounts.ts";
import { ledgerRecords } from "../src/store/ledger/ledger.ts";
import { assetSyncRecords } from "../src/store/profiles/asset-syncs.ts";
import { runChangeRecords } from "../src/store/runs/run-changes.ts";
import { runLineRecords } from "../src/store/runs/run-lines.ts";
import { runRemovalRecords } from "../src/store/runs/run-removals.ts";
import { runSkipRecords } from "../src/store/runs/run-skips.ts";
import { runWarningRecords } from "../src/store/runs/run-warnings.ts";
import { runRecords } from "../src/store/runs/runs.ts";

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
