import type {
  ChangeWorkOrderStatusRequest,
  CreateWorkOrderRequest,
  ListWorkOrdersRequest,
  UpdateWorkOrderRequest,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { queryPrefixes } from "@asset-register/runtime";
import { z } from "zod";
import { isQuantity } from "../domain/work-orders/work-order-cost.ts";
import { workOrderPriorityNames, workOrderStatusNames, workOrderTypeNames } from "../encode/work-order.ts";
import type { ChangeWorkOrderStatus } from "../operations/work-orders/change-work-order-status.ts";
import type { NewWorkOrder } from "../operations/work-orders/create-work-order.ts";
import type { UpdateWorkOrder } from "../operations/work-orders/update-work-order.ts";
import type { WorkOrderFilter } from "../store/work-orders.ts";
import { calendarDate } from "./calendar-date.ts";
import { calibrationResult } from "./calibration.ts";

const part = z.object({
  name: field.text(limits.name),
  quantity: z
    .number("is required")
    .positive("must be more than 0")
    .max(limits.quantity, `must be at most ${limits.quantity}`)
    .refine(isQuantity, "must have at most 3 decimals"),
  unitCost: field.optionalAmount(),
});

/** The fields of a change. Those without a default in it can't be cleared. */
const changeable = z.object({
  title: field.text(limits.name),
  type: field.enum(workOrderTypeNames),
  priority: field.enum(workOrderPriorityNames),
  description: field.optionalText(limits.description),
  assignedTo: field.optionalId(),
  dueAt: field.optionalInstant(),
  assetDown: z.boolean(),
  labourMinutes: field.integer({ max: limits.labourMinutes }).optional(),
  labourRate: field.optionalAmount(),
  parts: z.array(part).max(limits.parts, `must have at most ${limits.parts} parts`),
  otherCost: field.optionalAmount(),
  notes: field.optionalText(limits.description),
});

const newWorkOrder = changeable.extend({
  assetId: field.id(),
  type: field.optionalEnum(workOrderTypeNames).transform((type) => type ?? "corrective"),
  priority: field.optionalEnum(workOrderPriorityNames).transform((priority) => priority ?? "medium"),
});

export const decodeCreateWorkOrder = ({ workOrder }: CreateWorkOrderRequest): NewWorkOrder =>
  parse(newWorkOrder, workOrder ?? {});

const target = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export function decodeUpdateWorkOrder({
  workOrder,
  updateMask,
  ifRevIn,
}: UpdateWorkOrderRequest): UpdateWorkOrder {
  const change = parsePatch(changeable, workOrder, updateMask);
  return { ...parse(target, { id: workOrder?.id, ifRevIn }), change };
}

const newStatus = target
  .extend({
    status: field.enum(workOrderStatusNames),
    note: field.optionalText(limits.note),
    completedOn: calendarDate.optional(),
    calibration: calibrationResult.optional(),
  })
  .superRefine(({ status, completedOn, calibration }, { addIssue }) => {
    if (status === "completed") return;
    for (const [name, value] of Object.entries({ completedOn, calibration })) {
      const message = "is for a completion only";
      if (value !== undefined) addIssue({ code: "custom", path: [name], message });
    }
  });

export const decodeChangeWorkOrderStatus = (request: ChangeWorkOrderStatusRequest): ChangeWorkOrderStatus =>
  parse(newStatus, request);

export function decodeWorkOrderFilter(request: ListWorkOrdersRequest): WorkOrderFilter {
  const { status, type, priority, assetId, assignedTo, pmScheduleId, q } = request;
  return {
    ...{ assetId, assignedTo, pmScheduleId },
    status: workOrderStatusNames.decode(status),
    type: workOrderTypeNames.decode(type),
    priority: workOrderPriorityNames.decode(priority),
    prefixes: queryPrefixes(q ?? ""),
  };
}
