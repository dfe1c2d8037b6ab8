import type { ClientSession } from "@asset-register/mongo";
import type { Actor } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AssetDowntime } from "../../domain/assets/asset.ts";
import { assetDowntimeAfter, withDowntime } from "../../domain/work-orders/downtime.ts";
import type { StatusEntry, WorkOrder } from "../../domain/work-orders/work-order.ts";

type Change = {
  before: WorkOrder;
  /** With the next rev. */
  after: WorkOrder;
  /** From `assets.touch`, in the same transaction. */
  downtime: AssetDowntime;
  at: Date;
};

/** Saves a changed order, its own downtime and that of its asset. */
export async function saveWorkOrder(
  { stores }: Context,
  { before, after, downtime, at }: Change,
  session: ClientSession,
): Promise<WorkOrder> {
  const { workspaceId, assetId } = before;
  const saved = withDowntime(after, at);
  await stores.workOrders.save(workspaceId, saved, before.rev, session);
  if ((saved.downSince === undefined) !== (before.downSince === undefined)) {
    const next = assetDowntimeAfter(downtime, before, saved, at);
    await stores.assets.setDowntime(workspaceId, assetId, next, session);
  }
  return saved;
}

/** The entry of the status that an order has got. */
export const statusEntry = (
  { id: workOrderId, workspaceId, rev, status }: WorkOrder,
  { at, by, note }: { at: Date; by: Actor; note?: string | undefined },
): StatusEntry => ({ id: newId("wos"), workspaceId, workOrderId, rev, status, at, by, note });
