import {
  type DueRowSchema,
  GenerateStatus,
  type GenerateWorkOrdersResponseSchema,
  IntervalUnit,
  PmScheduleEndedReason,
  type PmScheduleSchema,
  PmScheduleStatus,
  ScheduleBasis,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { encodeActor, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DueRow } from "../domain/schedules/due-row.ts";
import { isPast, openFrom, type PmSchedule } from "../domain/schedules/pm-schedule.ts";
import type { DueRowView, PmScheduleView } from "../domain/schedules/schedule-view.ts";
import type { Generated } from "../operations/schedules/generate-work-orders.ts";
import { encodeWorkOrder, workOrderPriorityNames, workOrderTypeNames } from "./work-order.ts";

export const intervalUnitNames = enumNames(IntervalUnit);
export const scheduleBasisNames = enumNames(ScheduleBasis);
export const pmScheduleStatusNames = enumNames(PmScheduleStatus);
export const pmScheduleEndedReasonNames = enumNames(PmScheduleEndedReason);
export const generateStatusNames = enumNames(GenerateStatus);

export function encodePmSchedule({
  schedule,
  today,
  row,
  asset,
}: PmScheduleView): MessageInitShape<typeof PmScheduleSchema> {
  const { workspaceId: _, template, progress, ...record } = schedule;
  const due = row && dueOf(row, schedule, today);
  return {
    ...encodeInstants(record),
    intervalUnit: intervalUnitNames.encode(record.intervalUnit),
    basis: scheduleBasisNames.encode(record.basis),
    template: {
      ...template,
      type: workOrderTypeNames.encode(template.type),
      priority: workOrderPriorityNames.encode(template.priority),
    },
    status: pmScheduleStatusNames.encode(record.status),
    endedReason: pmScheduleEndedReasonNames.encode(record.endedReason),
    progress: record.status === "filling" ? progress : undefined,
    ...due,
    assetDisposed: asset?.disposed ?? false,
    createdBy: encodeActor(record.createdBy),
  };
}

export function encodeDueRow({
  row,
  today,
  schedule,
  asset,
  workOrderId,
}: DueRowView): MessageInitShape<typeof DueRowSchema> {
  const { id, pmScheduleId, assetId, lastCompletedOn, lastCompletedMeter } = row;
  return {
    ...{ id, pmScheduleId, assetId, lastCompletedOn, lastCompletedMeter, workOrderId },
    scheduleTitle: schedule?.title ?? "",
    assetName: asset?.name,
    ...(schedule && dueOf(row, schedule, today)),
  };
}

/** A schedule past its last day has no due dates. */
function dueOf({ nextDueOn, nextDueMeter }: DueRow, schedule: PmSchedule, today: string) {
  if (isPast(schedule, today)) return {};
  return { nextDueOn, nextDueMeter, openFrom: openFrom(nextDueOn, schedule) };
}

export function encodeGenerated({
  order,
  results,
}: Generated): MessageInitShape<typeof GenerateWorkOrdersResponseSchema> {
  if (order !== undefined) {
    return { workOrder: encodeWorkOrder(order), created: results[0]?.status === "created" };
  }
  return {
    results: results.map(({ status, ...result }) => ({
      ...result,
      status: generateStatusNames.encode(status),
    })),
  };
}
