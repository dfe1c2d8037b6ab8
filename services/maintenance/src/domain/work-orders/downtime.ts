import type { AssetDowntime } from "../assets/asset.ts";
import { isUnfinished, type WorkOrder } from "./work-order.ts";

const MINUTE_MS = 60_000;

/** Whether an order keeps its asset down: from its start until it is completed or cancelled, also on hold. */
const keepsDown = (order: WorkOrder): boolean =>
  order.assetDown && order.startedAt !== undefined && isUnfinished(order);

/** Clocks of processes may differ: a time never ends before it began. */
const between = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime());

/** A changed order, whose own downtime begins or ends at the time of the change. */
export function withDowntime(order: WorkOrder, at: Date): WorkOrder {
  const isDown = keepsDown(order);
  if (isDown === (order.downSince !== undefined)) return order;
  if (order.downSince === undefined) return { ...order, downSince: at };
  return { ...order, downSince: undefined, downtimeMs: order.downtimeMs + between(order.downSince, at) };
}

/** The downtime of an asset after a change of one of its orders. Orders at the same time count once. */
export function assetDowntimeAfter(
  downtime: AssetDowntime,
  before: WorkOrder | undefined,
  after: WorkOrder,
  at: Date,
): AssetDowntime {
  const change = Number(after.downSince !== undefined) - Number(before?.downSince !== undefined);
  const downOrders = downtime.downOrders + change;
  const { downSince, downtimeMs } = downtime;
  if (downOrders > 0) return { downOrders, downSince: downSince ?? at, downtimeMs };
  return {
    downOrders: 0,
    downSince: undefined,
    downtimeMs: downtimeMs + (downSince === undefined ? 0 : between(downSince, at)),
  };
}

/** Whole minutes of a downtime, until `at` if it has not ended. */
export function downtimeMinutes(
  { downSince, downtimeMs }: { downSince?: Date | undefined; downtimeMs: number },
  at: Date,
): number {
  const now = downSince === undefined ? 0 : between(downSince, at);
  return Math.floor((downtimeMs + now) / MINUTE_MS);
}
