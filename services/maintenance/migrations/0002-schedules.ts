import {
  ensureIndexes,
  ensureLongWorkIndexes,
  ensureRecordIndexes,
  type Migration,
} from "@asset-register/mongo";
import { categoryRecords } from "../src/store/categories.ts";
import { dueRowRecords } from "../src/store/due-rows.ts";
import { meterReadingRecords } from "../src/store/meter-readings.ts";
import { pmScheduleRecords } from "../src/store/pm-schedules.ts";

export const schedules: Migration = {
  id: "0002-schedules",
  async up(mongo) {
    await ensureRecordIndexes(mongo, categoryRecords, dueRowRecords, meterReadingRecords, pmScheduleRecords);
    await ensureLongWorkIndexes(mongo, pmScheduleRecords.collection);
    await ensureIndexes(mongo, "assets", [
      { name: "category", key: { workspaceId: 1, categoryId: 1, _id: 1 } },
    ]);
  },
};
