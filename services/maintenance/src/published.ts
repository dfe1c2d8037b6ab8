import { auditEvent } from "@asset-register/audit";
import { type OutgoingEvent, recordEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { snakeCase } from "@asset-register/runtime";
import type { WorkOrder, WorkOrderStatus } from "./domain/work-order.ts";
import { encodeWorkOrder, workOrderStatusNames } from "./encode/work-order.ts";

/** Topics of the outbox. */
export const published = [topics.workOrder, topics.contract, topics.audit];

/** The entries of the audit log. */
export const scheduleAudit = auditEvent<`pm_schedule.${"created" | "changed" | "deleted"}`>;

type WorkOrderEvent = OutgoingEvent<typeof topics.workOrder.schema>;
type WorkOrderChange = NonNullable<WorkOrderEvent["message"]>["change"];

export const workOrderCreated = (order: WorkOrder, time: Date): WorkOrderEvent =>
  workOrderEvent(order, { case: "created", value: {} }, time);

export const workOrderUpdated = (order: WorkOrder, fields: readonly string[], time: Date): WorkOrderEvent =>
  workOrderEvent(order, { case: "updated", value: { fields: fields.map(snakeCase) } }, time);

export const workOrderStatusChanged = (
  order: WorkOrder,
  { before, note, at }: { before: WorkOrderStatus; note?: string | undefined; at: Date },
): WorkOrderEvent =>
  workOrderEvent(
    order,
    { case: "statusChanged", value: { before: workOrderStatusNames.encode(before), note } },
    at,
  );

function workOrderEvent(order: WorkOrder, change: WorkOrderChange, time: Date): WorkOrderEvent {
  return recordEvent(topics.workOrder, order, {
    type: `work-order.${snakeCase(change?.case ?? "")}`,
    message: { state: encodeWorkOrder({ order, at: time }), change },
    time,
  });
}
