import {
  ensureIndexes,
  ensureLongWorkIndexes,
  ensureRecordIndexes,
  type Migration,
} from "@asset-register/mongo";
import { ensureSystemIndexes } from "@asset-register/mongo/system";
import { backtestSubjects } from "../src/store/backtests/backtest-subjects.ts";
import { backtestRecords } from "../src/store/backtests/backtests.ts";

/** Backtests of rules are removed when they expire. */
export const backtests: Migration = {
  id: "0008-backtests",
  async up(mongo) {
    await ensureRecordIndexes(mongo, backtestRecords);
    await ensureLongWorkIndexes(mongo, backtestRecords.collection);
    await ensureIndexes(mongo, backtestSubjects.collection, backtestSubjects.indexes);
    for (const { collection } of [backtestRecords, backtestSubjects])
      await ensureSystemIndexes(mongo, collection, [
        { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
      ]);
  },
};
