import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { calibrationRecords } from "../src/store/calibrations.ts";

export const calibrationsOfSchedules: Migration = {
  id: "0003-calibrations-of-schedules",
  up: (mongo) => ensureRecordIndexes(mongo, calibrationRecords),
};
