import {
  type ClientSession,
  defineRecords,
  embedded,
  embeddedActor,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Calibration } from "../domain/calibrations/calibration.ts";

export const calibrationRecords = defineRecords<Calibration>({
  collection: "calibrations",
  name: "calibration",
  fields: {
    assetId: String,
    pmScheduleId: String,
    workOrderId: String,
    result: String,
    performedOn: String,
    performedBy: String,
    measured: [embedded({ name: String, value: Number, unit: String, tolerance: Number })],
    certificateAttachmentId: String,
    createdAt: Date,
    createdBy: embeddedActor(),
  },
  indexes: [
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    { name: "schedule", key: { workspaceId: 1, pmScheduleId: 1 } },
  ],
});

export function createCalibrationStore(mongo: Mongo) {
  const { findOne, get, insert, list } = calibrationRecords.store(mongo);
  return {
    insert,
    get,

    /** Whether a calibration names a schedule. */
    async hasOfSchedule(workspaceId: string, pmScheduleId: string, session: ClientSession): Promise<boolean> {
      return (await findOne(workspaceId, { pmScheduleId }, session)) !== undefined;
    },

    list: (workspaceId: string, assetId: string, page: PageQuery): Promise<Page<Calibration>> =>
      list(workspaceId, page, { filter: { assetId } }),
  };
}
