import { type AppError, conflict } from "@asset-register/runtime";
import type { WorkOrder, WorkOrderStatus } from "./work-order.ts";

/** The statuses that may follow each status (maintenance.md, States). */
const transitions: Readonly<Record<WorkOrderStatus, readonly WorkOrderStatus[]>> = {
  open: ["in_progress", "on_hold", "cancelled"],
  in_progress: ["on_hold", "completed", "cancelled"],
  on_hold: ["in_progress", "cancelled"],
  completed: ["in_progress"],
  cancelled: [],
};

/** The status forbids the change: WORK_ORDER_STATE. */
export function workOrderState({ status }: Pick<WorkOrder, "status">, needs: string): AppError {
  const message = `The work order is ${status}. ${needs}`;
  return conflict("WORK_ORDER_STATE", message, [{ field: "status", message: status }]);
}

/** @throws AppError WORK_ORDER_STATE for a change that is not in the table, also to the present status */
export function assertCanBecome(order: Pick<WorkOrder, "status">, status: WorkOrderStatus): void {
  const allowed = transitions[order.status];
  if (allowed.includes(status)) return;
  const next = allowed.length === 0 ? "That is final." : `It can become ${allowed.join(" or ")}.`;
  throw workOrderState(order, next);
}

/** A work order in its next status. `completedOn` is the date of a completion, YYYY-MM-DD. */
export function withStatus(
  order: WorkOrder,
  status: WorkOrderStatus,
  { at, completedOn }: { at: Date; completedOn?: string | undefined },
): WorkOrder {
  const isCompleted = status === "completed";
  return {
    ...order,
    status,
    startedAt: order.startedAt ?? (status === "in_progress" ? at : undefined),
    completedAt: isCompleted ? at : undefined,
    completedOn: isCompleted ? completedOn : undefined,
    rev: order.rev + 1,
  };
}
