import { invalid } from "@asset-register/runtime";
import type { WorkOrder, WorkOrderFields } from "./work-order.ts";
import { totalCost } from "./work-order-cost.ts";
import { workOrderState } from "./work-order-status.ts";

/** The fields that can change after the completion: costs are often known later. */
const afterCompletion: ReadonlySet<string> = new Set<keyof WorkOrderFields>([
  "notes",
  "labourMinutes",
  "labourRate",
  "parts",
  "otherCost",
]);

/** @throws AppError WORK_ORDER_STATE if the status forbids to change one of these fields */
export function assertCanEdit(order: WorkOrder, fields: readonly string[]): void {
  if (order.status === "cancelled") throw workOrderState(order, "It can't be changed.");
  if (order.status !== "completed") return;
  if (fields.every((field) => afterCompletion.has(field))) return;
  throw workOrderState(order, "Only its notes, labour, parts and other cost can be changed.");
}

/** @throws AppError VALIDATION_FAILED on total_cost if the total cost is too large to be shown */
export function assertCost(
  order: Pick<WorkOrder, "labourMinutes" | "labourRate" | "parts" | "otherCost">,
): void {
  try {
    totalCost(order);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid([{ field: "total_cost", message: "labour, parts and other cost are too large together" }]);
  }
}
