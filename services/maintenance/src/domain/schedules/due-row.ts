import { localDate } from "@asset-register/runtime";
import type { WorkDoneBy } from "./completion.ts";
import { nextDueDate } from "./due-date.ts";
import { type MeterPoint, meterState } from "./meter.ts";
import { duePlan, isCalibrationPlan, type PmSchedule } from "./pm-schedule.ts";

/** When a schedule is due for an asset. */
export type DueRow = WorkDoneBy & {
  id: string;
  workspaceId: string;
  pmScheduleId: string;
  assetId: string;
  nextDueOn?: string | undefined;
  nextDueMeter?: number | undefined;
  /** The reading at the last completion. */
  lastCompletedMeter?: number | undefined;
  /** Units of the meter count from the last reading at or before this time, or from the first one. */
  meterFrom?: Date | undefined;
  /** Whether the schedule is a calibration plan. */
  calibration: boolean;
  /** Whether the schedule counts units of the meter. */
  metered: boolean;
  /** That of the schedule, or the last date of the calendar. After it the row is not due. */
  endsOn: string;
};

export const NEVER_ENDS = "9999-12-31";

type Basis = {
  schedule: PmSchedule;
  /** All readings of the asset in order of time, or those from the row's base on. Read of a metered schedule only. */
  readings: readonly MeterPoint[];
  timeZone: string;
};

/** The row with its due date and meter, computed from the schedule and the work done. */
export function computed(row: DueRow, { schedule, readings, timeZone }: Basis): DueRow {
  const { meterInterval, endsOn } = schedule;
  const meter = meterInterval === undefined ? undefined : meterState(readings, meterInterval, row.meterFrom);
  const reachedOn = meter?.reachedAt && localDate(meter.reachedAt, timeZone);
  return {
    ...row,
    nextDueOn: nextDueDate(duePlan(schedule), row, reachedOn),
    nextDueMeter: meter?.nextDueMeter,
    calibration: isCalibrationPlan(schedule),
    metered: meterInterval !== undefined,
    endsOn: endsOn ?? NEVER_ENDS,
  };
}
