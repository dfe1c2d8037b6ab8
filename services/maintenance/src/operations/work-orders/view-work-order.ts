import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { WorkOrder, WorkOrderView } from "../../domain/work-orders/work-order.ts";

/** A work order as single reads show it. */
export async function viewWorkOrder(
  { stores, now }: Context,
  order: WorkOrder,
  session?: ClientSession,
): Promise<WorkOrderView> {
  const { workspaceId, id, assetId } = order;
  const asset = await stores.assets.get(workspaceId, assetId, session);
  const history = await stores.statusEntries.listNewest(workspaceId, id, session);
  return { order, at: now(), asset, history };
}

/** Work orders as lists show them. One query reads the assets of all. */
export async function viewWorkOrders(
  { stores, now }: Context,
  workspaceId: string,
  orders: readonly WorkOrder[],
): Promise<WorkOrderView[]> {
  const assets = await stores.assets.getMany(
    workspaceId,
    orders.map(({ assetId }) => assetId),
  );
  const at = now();
  return orders.map((order) => ({ order, at, asset: assets.get(order.assetId) }));
}
