import { eventually } from "@asset-register/harness";
import { CalibrationOutcome } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import {
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { assetEvent, newWorkspace, sharedMaintenance, workOrderCalls } from "./support.ts";

let time = new Date("2026-03-01T10:00:00Z");
const maintenance = await sharedMaintenance(() => time);
const { workOrders, mongo, publish, recorded } = maintenance;

const workspace = await newWorkspace(maintenance);
const { id: workspaceId, editor, viewer } = workspace;
const { newAsset, create, read, become } = workOrderCalls(maintenance, workspace);
const { IN_PROGRESS, ON_HOLD, COMPLETED, CANCELLED } = WorkOrderStatus;
const pass = (minutes: number) => {
  time = new Date(time.getTime() + minutes * 60_000);
};

test("disposal cancels the unfinished orders with a note, and the asset takes no new work: ASSET_DISPOSED", async () => {
  const assetId = newAsset();
  const [open, started, done] = [
    await create({ assetId }),
    await create({ assetId }),
    await create({ assetId }),
  ];
  await become(started.id, IN_PROGRESS, ON_HOLD);
  await become(done.id, IN_PROGRESS, COMPLETED);
  await publish(assetEvent(workspaceId, assetId, 2, { disposed: true }));
  await eventually(async () => {
    for (const { id } of [open, started]) expect((await read(id)).status).toBe(CANCELLED);
  });
  const cancelled = await read(started.id);
  expect(cancelled).toMatchObject({ assetDisposed: true, rev: 4 });
  const last = cancelled.statusHistory.at(-1);
  expect(last).toMatchObject({ status: CANCELLED, note: "asset disposed", by: { id: "maintenance" } });
  expect((await read(done.id)).status).toBe(COMPLETED);
  await eventually(() => expect(recorded.workOrder.of(open.id)).toHaveLength(2));
  expect(await codeOf(create({ assetId }))).toBe("ASSET_DISPOSED");
  expect(await codeOf(become(done.id, IN_PROGRESS))).toBe("ASSET_DISPOSED");
  // The same event again, and an older one, have no further effect.
  await publish(assetEvent(workspaceId, assetId, 2, { disposed: true }), assetEvent(workspaceId, assetId, 1));
  await publish(assetEvent(workspaceId, assetId, 3, { disposed: true, name: "Renamed" }));
  await eventually(async () => expect((await read(open.id)).assetName).toBe("Renamed"));
  expect(await read(started.id)).toMatchObject({ assetDisposed: true, rev: 4 });
});

test("deletion cancels too; new orders are NOT_FOUND, and the asset's list still answers", async () => {
  const assetId = newAsset();
  const { id } = await create({ assetId });
  await publish(assetEvent(workspaceId, assetId, 2, { deleted: true }));
  await eventually(async () => {
    expect((await read(id)).statusHistory.at(-1)).toMatchObject({ status: CANCELLED, note: "asset deleted" });
  });
  await publish({ ...assetEvent(workspaceId, assetId, 3), message: undefined });
  expect(await failure(create({ assetId }))).toMatchObject({
    ...{ code: "NOT_FOUND", violations: [{ field: "asset_id" }] },
  });
  expect((await workOrders.listAssetWorkOrders({ assetId }, viewer)).workOrders).toHaveLength(1);
  expect(await codeOf(workOrders.listAssetWorkOrders({ assetId: newId("ast") }, viewer))).toBe("NOT_FOUND");
});

test("creations against a disposal at once: no order of the asset stays unfinished", async () => {
  const assetId = newAsset();
  const creations = Array.from({ length: 8 }, () => codeOf(create({ assetId })));
  await publish(assetEvent(workspaceId, assetId, 2, { disposed: true }));
  const codes = await Promise.all(creations);
  for (const code of codes) expect([undefined, "ASSET_DISPOSED"]).toContain(code);
  await eventually(async () => expect(await codeOf(create({ assetId }))).toBe("ASSET_DISPOSED"));
  await eventually(async () => {
    const unfinished = { workspaceId, assetId, unfinished: true };
    expect(await mongo.collection("work_orders").countDocuments(unfinished)).toBe(0);
  });
});

test("downtime: each order has its own, also on hold; the asset's counts orders at the same time once", async () => {
  const assetId = newAsset();
  const [one, two] = [await create({ assetId, assetDown: true }), await create({ assetId, assetDown: true })];
  const downtime = async () => (await workOrders.listAssetWorkOrders({ assetId }, viewer)).downtimeMinutes;
  await become(one.id, IN_PROGRESS);
  pass(10);
  await become(two.id, IN_PROGRESS, ON_HOLD);
  pass(20);
  await become(one.id, COMPLETED);
  expect([(await read(one.id)).downtimeMinutes, (await read(two.id)).downtimeMinutes]).toEqual([30, 20]);
  expect(await downtime()).toBe(30);
  pass(5);
  expect(await downtime()).toBe(35);
  const off = { workOrder: { id: two.id, assetDown: false }, updateMask: { paths: ["asset_down"] } };
  await workOrders.updateWorkOrder(off, editor);
  pass(60);
  expect(await downtime()).toBe(35);
  await become(one.id, IN_PROGRESS);
  pass(7);
  await become(one.id, CANCELLED).catch(() => undefined);
  pass(60);
  expect([await downtime(), (await read(one.id)).downtimeMinutes]).toEqual([42, 37]);
});

test("two starts at once of orders that keep the asset down are counted once, and both ends are seen", async () => {
  const assetId = newAsset();
  const orders = await Promise.all([1, 2, 3].map(() => create({ assetId, assetDown: true })));
  await Promise.all(orders.map(({ id }) => become(id, IN_PROGRESS)));
  pass(10);
  await Promise.all(orders.map(({ id }) => become(id, COMPLETED)));
  pass(10);
  expect((await workOrders.listAssetWorkOrders({ assetId }, viewer)).downtimeMinutes).toBe(10);
  const [row] = await mongo.collection("assets").find({ _id: assetId, workspaceId }).toArray();
  expect(row).toMatchObject({ downOrders: 0, downtimeMs: 600_000 });
});

test("an order of type calibration needs its result to be completed, and stores it once; others refuse one", async () => {
  const assetId = newAsset();
  const { id } = await create({ assetId, type: WorkOrderType.CALIBRATION });
  await become(id, IN_PROGRESS);
  const complete = (target: string, calibration?: object) =>
    workOrders.changeWorkOrderStatus({ id: target, status: COMPLETED, calibration }, editor);
  const passed = { result: CalibrationOutcome.PASSED, measured: [{ name: "Pressure", value: 2.01 }] };
  const fieldOf = async (call: Promise<unknown>) => (await failure(call))?.violations[0]?.field;
  expect(await fieldOf(complete(id))).toBe("calibration.result");
  expect(await fieldOf(complete(id, {}))).toBe("calibration.result");
  expect(await fieldOf(complete(id, { ...passed, performedOn: "2999-01-01" }))).toBe(
    "calibration.performed_on",
  );
  expect(await failure(complete(id, { ...passed, certificateAttachmentId: newId("att") }))).toMatchObject({
    ...{ code: "NOT_FOUND", violations: [{ field: "calibration.certificate_attachment_id" }] },
  });
  expect((await complete(id, passed)).workOrder?.status).toBe(COMPLETED);
  const stored = await mongo.collection("calibrations").find({ workspaceId, assetId }).toArray();
  expect(stored).toMatchObject([{ workOrderId: id, result: "passed", performedOn: "2026-03-01" }]);
  const other = await create({ assetId });
  await become(other.id, IN_PROGRESS);
  expect(await fieldOf(complete(other.id, passed))).toBe("calibration");
});
