import { isDeepStrictEqual } from "node:util";
import type { Call, Patch } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { WorkOrder, WorkOrderFields, WorkOrderView } from "../../domain/work-orders/work-order.ts";
import { assertCanEdit, assertCost } from "../../domain/work-orders/work-order-edit.ts";
import { workOrderUpdated } from "../../published.ts";
import { requireUser } from "./create-work-order.ts";
import { saveWorkOrder } from "./save-work-order.ts";
import { viewWorkOrder } from "./view-work-order.ts";

export type UpdateWorkOrder = { id: string; change: Patch<WorkOrderFields>; ifRevIn: readonly number[] };

/** Changes fields. Equal values write nothing. @throws AppError WORK_ORDER_STATE, NOT_FOUND on assigned_to */
export async function updateWorkOrder(
  context: Context,
  { id, change, ifRevIn }: UpdateWorkOrder,
  call: Call,
): Promise<WorkOrderView> {
  const { mongo, outbox, stores, now } = context;
  const { workspaceId } = call;
  const checked = (order: WorkOrder | undefined): WorkOrder => {
    const found = requireFound(order, "work order");
    requireRev(found.rev, ifRevIn);
    assertCanEdit(found, Object.keys(change));
    return found;
  };
  checked(await stores.workOrders.get(workspaceId, id));
  await requireUser(context, change.assignedTo, call);
  return mongo.transaction(call, async (session) => {
    const before = checked(await stores.workOrders.get(workspaceId, id, session));
    // The cast holds because the decoder refuses to clear a required field.
    const after = { ...before, ...change, rev: before.rev + 1 } as WorkOrder;
    const fields = Object.keys(change) as (keyof WorkOrderFields)[];
    const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
    if (changed.length === 0) return viewWorkOrder(context, before, session);
    assertCost(after);
    const { downtime } = await stores.assets.touch(workspaceId, before.assetId, session);
    const at = now();
    const order = await saveWorkOrder(context, { before, after, downtime, at }, session);
    await outbox.add(session, workOrderUpdated(order, changed, at));
    return viewWorkOrder(context, order, session);
  });
}
