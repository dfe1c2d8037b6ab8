import { MeterReadingService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { PmScheduleService } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

const { updatePmSchedule, deletePmSchedule, generateWorkOrders } = PmScheduleService.method;
const { createMeterReading } = MeterReadingService.method;

/** Codes of maintenance schedules and meters. */
export const scheduleCodes: ErrorCode[] = [
  ofRpcs({
    code: "SCHEDULE_FILLING",
    status: 409,
    cause: "The due dates of the schedule's assets are still being computed.",
    cure: "Read the schedule until its `status` is `active`, then send the request again.",
    where: "Maintenance schedules of categories",
    rpcs: [updatePmSchedule, deletePmSchedule, generateWorkOrders],
  }),
  ofRpcs({
    code: "SCHEDULE_ENDED",
    status: 422,
    cause:
      "The schedule has ended: its last day is over, its asset was disposed of or deleted, or its category was deleted.",
    cure: "Change `ends_on` if the last day is over. Otherwise create a new schedule.",
    where: "Changes of maintenance schedules, and generating work orders",
    rpcs: [updatePmSchedule, generateWorkOrders],
  }),
  ofRpcs({
    code: "SCHEDULE_TOO_WIDE",
    status: 422,
    cause: "The schedule's category has more than 500 assets. The message has their number.",
    cure: "Name up to 500 assets in `asset_ids`, and repeat this for the others. `/pm-schedules/{id}/due` lists them.",
    where: "Generating work orders",
    rpcs: [generateWorkOrders],
  }),
  ofRpcs({
    code: "METER_DECREASES",
    status: 422,
    cause: "The value is not between those of the readings before and after it in time.",
    cure: "Correct the value or the time. If the meter began a new count, send `reset: true`.",
    where: "Meter readings",
    rpcs: [createMeterReading],
  }),
];
