import { eventually } from "@asset-register/harness";
import {
  WorkOrderPriority,
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { afterAll, expect, test } from "vitest";
import { newWorkspace, startMaintenance, workOrderCalls } from "./support.ts";

const maintenance = await startMaintenance();
const { recorded } = maintenance;
afterAll(() => maintenance.stop());

const workspace = await newWorkspace(maintenance);
const { newAsset, create, read } = workOrderCalls(maintenance, workspace);

test("an order is created open with defaults, for an asset whose event has not arrived, and published", async () => {
  const assetId = newAsset();
  const order = await create({ assetId, title: " Replace the belt " });
  expect(order).toMatchObject({
    ...{ assetId, title: "Replace the belt", status: WorkOrderStatus.OPEN, rev: 1, assetName: "Fresh drill" },
    ...{ type: WorkOrderType.CORRECTIVE, priority: WorkOrderPriority.MEDIUM, assetDisposed: false },
    totalCost: { minorUnits: 0n, currency: "EUR" },
  });
  expect(order.statusHistory.map(({ status }) => status)).toEqual([WorkOrderStatus.OPEN]);
  expect(await read(order.id)).toEqual(order);
  await eventually(() => expect(recorded.workOrder.of(order.id)).toHaveLength(1));
  const [event] = recorded.workOrder.of(order.id);
  expect(event).toMatchObject({ sequence: 1, message: { change: { case: "created" } } });
  expect(event?.message?.state).toMatchObject({ id: order.id, statusHistory: [], assetDisposed: false });
});
