import type { Actor } from "@asset-register/rpc";
import { AppError, conflict, invalid } from "@asset-register/runtime";
import type { WorkOrderPriority, WorkOrderType } from "../work-orders/work-order.ts";
import type { DuePlan } from "./due-date.ts";
import { addDays, type IntervalUnit } from "./interval.ts";

export type PmScheduleStatus = "filling" | "active" | "ended";
export type PmScheduleEndedReason = "asset_disposed" | "asset_deleted" | "category_deleted";

/** The template of the generated work orders. */
export type PmTemplate = {
  title?: string | undefined;
  type: WorkOrderType;
  priority: WorkOrderPriority;
  description?: string | undefined;
  assignedTo?: string | undefined;
};

/** The fields that a caller may change. */
export type PmScheduleFields = {
  title: string;
  intervalValue?: number | undefined;
  intervalUnit?: IntervalUnit | undefined;
  meterInterval?: number | undefined;
  basis?: "fixed" | "floating" | undefined;
  anchorOn?: string | undefined;
  leadDays?: number | undefined;
  endsOn?: string | undefined;
  template: PmTemplate;
};

/** Work that is due again and again on an asset, or on the assets of a category and of those below it. */
export type PmSchedule = PmScheduleFields & {
  id: string;
  workspaceId: string;
  /** Exactly one of the two. */
  assetId?: string | undefined;
  categoryId?: string | undefined;
  status: PmScheduleStatus;
  endedReason?: PmScheduleEndedReason | undefined;
  /** Of the filling. */
  progress: { done: number; total: number };
  createdAt: Date;
  createdBy: Actor;
  rev: number;
};

export const isCalibrationPlan = ({ template }: Pick<PmSchedule, "template">): boolean =>
  template.type === "calibration";

/** The rules of the due dates of a schedule. */
export function duePlan(schedule: PmScheduleFields): DuePlan {
  const { intervalValue, intervalUnit, basis = "fixed", anchorOn, endsOn } = schedule;
  const hasInterval = intervalValue !== undefined && intervalUnit !== undefined;
  return {
    ...{ basis, anchorOn, endsOn, calibration: isCalibrationPlan(schedule) },
    interval: hasInterval ? { value: intervalValue, unit: intervalUnit } : undefined,
  };
}

/**
 * Completes and checks the fields of a schedule that is created or changed. The anchor is today by default.
 *
 * @throws AppError VALIDATION_FAILED, which names each field
 */
export function checkedSchedule<T extends PmScheduleFields>(fields: T, today: string): T {
  const { intervalValue, intervalUnit, meterInterval, basis, endsOn } = fields;
  const violations: { field: string; message: string }[] = [];
  const add = (field: string, message: string) => violations.push({ field, message });
  const hasInterval = intervalValue !== undefined || intervalUnit !== undefined;
  if (!hasInterval && meterInterval === undefined) add("interval_value", "or meter_interval is required");
  if (hasInterval && intervalValue === undefined) add("interval_value", "is required with interval_unit");
  if (hasInterval && intervalUnit === undefined) add("interval_unit", "is required with interval_value");
  if (hasInterval && basis === undefined) add("basis", "is required with an interval");
  const anchorOn = fields.anchorOn ?? (hasInterval ? today : undefined);
  if (endsOn !== undefined && anchorOn !== undefined && endsOn < anchorOn) {
    add("ends_on", "must not be before anchor_on");
  }
  if (violations.length > 0) throw invalid(violations);
  return { ...fields, anchorOn };
}

/** The fields that the due rows depend on. */
const dueFields = ["intervalValue", "intervalUnit", "meterInterval", "basis", "anchorOn", "endsOn"] as const;

/** Whether a change of a schedule changes due rows. */
export function changesDueDates(before: PmScheduleFields, after: PmScheduleFields): boolean {
  const sameKind = isCalibrationPlan(before) === isCalibrationPlan(after);
  return !sameKind || dueFields.some((field) => before[field] !== after[field]);
}

/**
 * Calibrations advance the plan that they name, so a plan that has some stays one.
 *
 * @throws AppError VALIDATION_FAILED on template.type
 */
export function assertStaysPlan(before: PmSchedule, after: PmSchedule, isNamed: boolean): void {
  if (!isNamed || !isCalibrationPlan(before) || isCalibrationPlan(after)) return;
  throw invalid([{ field: "template.type", message: "must be calibration: calibrations name this plan" }]);
}

/** @throws AppError SCHEDULE_FILLING */
export function assertNotFilling({ status }: Pick<PmSchedule, "status">): void {
  if (status === "filling") {
    throw conflict("SCHEDULE_FILLING", "The schedule is being filled. Retry when its status is active.", [
      { field: "status", message: status },
    ]);
  }
}

/** @throws AppError SCHEDULE_ENDED */
export function assertNotEnded({ status }: Pick<PmSchedule, "status">): void {
  if (status === "ended") throw scheduleEnded("The schedule has ended.");
}

/** @throws AppError SCHEDULE_ENDED, also after the last day */
export function assertCanGenerate(schedule: Pick<PmSchedule, "status" | "endsOn">, today: string): void {
  assertNotEnded(schedule);
  if (isPast(schedule, today)) throw scheduleEnded("The last day of the schedule is over.");
}

/** Whether the last day of a schedule is over. It has no due dates then. */
export const isPast = ({ endsOn }: Pick<PmSchedule, "endsOn">, today: string): boolean =>
  endsOn !== undefined && endsOn < today;

/** The first day on which the work should be planned. */
export function openFrom(
  nextDueOn: string | undefined,
  { leadDays }: Pick<PmSchedule, "leadDays">,
): string | undefined {
  return nextDueOn === undefined ? undefined : addDays(nextDueOn, -(leadDays ?? 0));
}

function scheduleEnded(message: string): AppError {
  return new AppError({ kind: "invalid", code: "SCHEDULE_ENDED", message });
}
