import type { ProjectedState } from "@asset-register/events";
import type { Actor } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { isGone, type KnownAsset } from "../../domain/assets/asset.ts";
import { withStatus } from "../../domain/work-orders/work-order-status.ts";
import { workOrderStatusChanged } from "../../published.ts";
import { syncDueRows } from "../schedules/sync-due-rows.ts";
import { saveWorkOrder, statusEntry } from "../work-orders/save-work-order.ts";

type AssetState = ProjectedState<KnownAsset>;

const SERVICE: Actor = { kind: "service", id: "maintenance" };

/** Orders that one transaction cancels. */
const TOGETHER = 100;

/**
 * Projects assets, then cancels the unfinished orders of those that are gone. In this order no order stays open: a
 * later call that creates one sees that the asset is gone, and one of an earlier call is found here.
 */
export async function applyAssets(
  context: Context,
  states: readonly AssetState[],
  signal: AbortSignal,
): Promise<void> {
  await context.stores.assets.project(states);
  for (const [workspaceId, own] of Map.groupBy(states, (state) => state.workspaceId)) {
    await syncDueRows(
      context,
      workspaceId,
      own.map(({ id }) => id),
    );
  }
  const gone = states.filter(({ fields }) => fields !== undefined && isGone(fields));
  for (const [workspaceId, own] of Map.groupBy(gone, (state) => state.workspaceId)) {
    const assets = new Map(own.map((state) => [state.id, state]));
    while ((await cancelOrders(context, workspaceId, assets)) === TOGETHER) signal.throwIfAborted();
  }
}

/** Cancels some unfinished orders of assets that are gone, and returns their number. A repeat finds none. */
async function cancelOrders(
  context: Context,
  workspaceId: string,
  assets: ReadonlyMap<string, AssetState>,
): Promise<number> {
  const { mongo, stores, outbox, now } = context;
  const ids = [...assets.keys()];
  if ((await stores.workOrders.listUnfinished(workspaceId, ids, 1)).length === 0) return 0;
  return mongo.transaction({}, async (session) => {
    const orders = await stores.workOrders.listUnfinished(workspaceId, ids, TOGETHER, session);
    for (const before of orders) {
      const { downtime } = await stores.assets.touch(workspaceId, before.assetId, session);
      const at = now();
      const note = assets.get(before.assetId)?.fields?.deleted ? "asset deleted" : "asset disposed";
      const after = withStatus(before, "cancelled", { at });
      const order = await saveWorkOrder(context, { before, after, downtime, at }, session);
      const entry = statusEntry(order, { at, by: SERVICE, note });
      await stores.statusEntries.insertMany(workspaceId, [entry], session);
      await outbox.add(session, workOrderStatusChanged(order, { before: before.status, note, at }));
    }
    return orders.length;
  });
}
