import { ensureLongWorkIndexes, ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { assetProjection } from "../src/store/assets.ts";
import { categoryProjection } from "../src/store/categories.ts";
import { dueRowRecords } from "../src/store/due-rows.ts";
import { meterReadingRecords } from "../src/store/meter-readings.ts";
import { pmScheduleRecords } from "../src/store/pm-schedules.ts";

export const schedules: Migration = {
  id: "0002-schedules",
  async up(mongo) {
    const records = [dueRowRecords, meterReadingRecords, pmScheduleRecords];
    await ensureRecordIndexes(mongo, assetProjection, categoryProjection, ...records);
    await ensureLongWorkIndexes(mongo, pmScheduleRecords.collection);
  },
};
