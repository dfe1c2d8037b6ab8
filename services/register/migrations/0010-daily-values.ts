import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { movementRecords } from "../src/store/custody/movements.ts";
import { dailyValueRecords } from "../src/store/reports/daily-values.ts";
import { valueDayRecords } from "../src/store/reports/value-days.ts";

/** Values over time, and the movements of a day. */
export const dailyValues: Migration = {
  id: "0010-daily-values",
  async up(mongo) {
    await ensureRecordIndexes(mongo, dailyValueRecords, valueDayRecords, movementRecords);
    await ensureLongWorkIndexes(mongo, valueDayRecords.collection);
  },
};
