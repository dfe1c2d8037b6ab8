import type { Call } from "@asset-register/rpc";
import { newId, requireFound, unknownReferences } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertTakesWork } from "../../domain/assets/asset.ts";
import type { WorkOrder, WorkOrderFields, WorkOrderView } from "../../domain/work-orders/work-order.ts";
import { assertCost } from "../../domain/work-orders/work-order-edit.ts";
import { workOrderCreated } from "../../published.ts";
import { findAsset } from "../assets/find-asset.ts";
import { statusEntry } from "./save-work-order.ts";
import { viewWorkOrder } from "./view-work-order.ts";

export type NewWorkOrder = WorkOrderFields & { assetId: string };

/** Creates an open order. @throws AppError NOT_FOUND on asset_id and assigned_to, ASSET_DISPOSED */
export async function createWorkOrder(
  context: Context,
  input: NewWorkOrder,
  call: Call,
): Promise<WorkOrderView> {
  const { mongo, outbox, stores, now } = context;
  const { workspaceId, actor } = call;
  const { assetId, assignedTo } = input;
  const { currency } = await requireWorkspace(context, workspaceId);
  assertCost(input);
  assertTakesWork(requireFound(await findAsset(context, assetId, call), "asset", "asset_id"));
  await requireUser(context, assignedTo, call);
  return mongo.transaction(call, async (session) => {
    // An asset that is disposed of at the same time: its handling finds this order, or this call finds it disposed.
    const { asset } = await stores.assets.touch(workspaceId, assetId, session);
    assertTakesWork(requireFound(asset, "asset", "asset_id"));
    const at = now();
    const order: WorkOrder = {
      ...input,
      ...{ id: newId("wo"), workspaceId, status: "open", currency, downtimeMs: 0 },
      ...{ createdAt: at, createdBy: actor, rev: 1 },
    };
    await stores.workOrders.insert(workspaceId, order, session);
    await stores.statusEntries.insertMany(workspaceId, [statusEntry(order, { at, by: actor })], session);
    await outbox.add(session, workOrderCreated(order, at));
    return viewWorkOrder(context, order, session);
  });
}

/** @throws AppError NOT_FOUND on assigned_to */
export async function requireUser(
  { clients }: Context,
  id: string | undefined,
  call: Call,
  field = "assigned_to",
): Promise<void> {
  if (id !== undefined && !(await clients.hasUser(id, call))) throw unknownReferences([field]);
}
