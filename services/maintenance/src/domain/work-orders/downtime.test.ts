import { expect, it } from "vitest";
import { newWorkOrder } from "../../../test/new-work-order.ts";
import type { AssetDowntime } from "../assets/asset.ts";
import { assetDowntimeAfter, downtimeMinutes, withDowntime } from "./downtime.ts";
import type { WorkOrder } from "./work-order.ts";
import { withStatus } from "./work-order-status.ts";

const minute = (n: number): Date => new Date(n * 60_000);
const become = (order: WorkOrder, status: WorkOrder["status"], at: Date): WorkOrder =>
  withDowntime(withStatus(order, status, { at, completedOn: "2026-01-31" }), at);

it("the downtime of an order continues while it is on hold, ends with the order, and starts again when it is reopened", () => {
  const open = newWorkOrder({ assetDown: true });
  const held = become(become(open, "in_progress", minute(10)), "on_hold", minute(20));
  expect(downtimeMinutes(held, minute(25))).toBe(15);
  const completed = become(become(held, "in_progress", minute(30)), "completed", minute(40));
  expect(downtimeMinutes(completed, minute(100))).toBe(30);
  const reopened = become(completed, "in_progress", minute(100));
  expect(downtimeMinutes(reopened, minute(105))).toBe(35);
  expect(downtimeMinutes(become(reopened, "cancelled", minute(110)), minute(200))).toBe(40);
});

it("an order that was never started keeps nothing down, and asset_down can be switched", () => {
  const held = become(newWorkOrder({ assetDown: true }), "on_hold", minute(1));
  expect(held.downSince).toBeUndefined();
  const started = become(newWorkOrder(), "in_progress", minute(1));
  const on = withDowntime({ ...started, assetDown: true }, minute(5));
  const off = withDowntime({ ...on, assetDown: false }, minute(8));
  expect(downtimeMinutes(off, minute(60))).toBe(3);
});

it("the asset's figure counts orders at the same time once", () => {
  const [one, two] = [newWorkOrder({ assetDown: true }), newWorkOrder({ assetDown: true })];
  let asset: AssetDowntime = { downOrders: 0, downtimeMs: 0 };
  const step = (before: WorkOrder, status: WorkOrder["status"], at: Date): WorkOrder => {
    const after = become(before, status, at);
    asset = assetDowntimeAfter(asset, before, after, at);
    return after;
  };
  const startedOne = step(one, "in_progress", minute(10));
  const startedTwo = step(two, "in_progress", minute(15));
  step(startedOne, "completed", minute(20));
  expect(downtimeMinutes(asset, minute(22))).toBe(12);
  step(startedTwo, "cancelled", minute(30));
  expect(asset).toMatchObject({ downOrders: 0, downSince: undefined });
  expect(downtimeMinutes(asset, minute(99))).toBe(20);
});
