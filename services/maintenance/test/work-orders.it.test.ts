import { eventually } from "@asset-register/harness";
import {
  WorkOrderPriority,
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { newWorkspace, sharedMaintenance, workOrderCalls } from "./support.ts";

const maintenance = await sharedMaintenance();
const { workOrders, users, recorded } = maintenance;

const workspace = await newWorkspace(maintenance);
const { editor, viewer } = workspace;
const { newAsset, create, read, become } = workOrderCalls(maintenance, workspace);
const { IN_PROGRESS, COMPLETED, CANCELLED } = WorkOrderStatus;
const euro = (minorUnits: bigint) => ({ minorUnits, currency: "EUR" });

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

test("an unknown asset or user is NOT_FOUND on its field; a foreign order too, and changes nothing", async () => {
  const assetId = newAsset();
  const unknown = (fields: object) =>
    failure(workOrders.createWorkOrder({ workOrder: { assetId, title: "Oil", ...fields } }, editor));
  for (const [field, fields] of [
    ["asset_id", { assetId: newId("ast") }],
    ["assigned_to", { assignedTo: newId("usr") }],
  ] as const) {
    expect(await unknown(fields)).toMatchObject({ code: "NOT_FOUND", violations: [{ field }] });
  }
  const { id, rev } = await create({ assetId });
  const stranger = await newWorkspace(maintenance);
  const calls = [
    workOrders.getWorkOrder({ id }, stranger.viewer),
    workOrders.updateWorkOrder({ workOrder: { id }, updateMask: { paths: ["title"] } }, stranger.editor),
    workOrders.changeWorkOrderStatus({ id, status: CANCELLED }, stranger.editor),
    workOrders.listAssetWorkOrders({ assetId }, stranger.viewer),
  ];
  // A cleared title is refused before the order is looked up.
  expect(await Promise.all(calls.map(codeOf))).toEqual([
    "NOT_FOUND",
    "VALIDATION_FAILED",
    "NOT_FOUND",
    "NOT_FOUND",
  ]);
  expect((await workOrders.listWorkOrders({}, stranger.viewer)).workOrders).toEqual([]);
  expect((await read(id)).rev).toBe(rev);
  expect(await codeOf(workOrders.createWorkOrder({ workOrder: { assetId, title: "Oil" } }, viewer))).toBe(
    "FORBIDDEN",
  );
});

test("the cost of labour, parts and other cost is rounded by part; quantities have at most 3 decimals", async () => {
  const assetId = newAsset();
  const part = { name: "Belt", quantity: 1.5, unitCost: euro(750n) };
  const cost = { labourMinutes: 50, labourRate: euro(4_000n), otherCost: euro(1_000n) };
  const order = await create({ assetId, ...cost, parts: [part] });
  expect(order.totalCost?.minorUnits).toBe(5_458n);
  const change = (parts: object[]) =>
    workOrders.updateWorkOrder(
      { workOrder: { id: order.id, parts }, updateMask: { paths: ["parts"] } },
      editor,
    );
  expect((await change([])).workOrder?.totalCost?.minorUnits).toBe(4_333n);
  for (const [quantity, unitCost, field] of [
    [1.2345, 1n, "parts.0.quantity"],
    [0, 1n, "parts.0.quantity"],
    [1, -1n, "parts.0.unit_cost"],
    [1_000_000, BigInt(Number.MAX_SAFE_INTEGER), "total_cost"],
  ] as const) {
    const refused = await failure(change([{ name: "Belt", quantity, unitCost: euro(unitCost) }]));
    expect(refused).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field }] });
  }
});

test("two completions at once: one is made, the other gets WORK_ORDER_STATE", async () => {
  const { id } = await create({ assetId: newAsset() });
  await become(id, IN_PROGRESS);
  const complete = () => workOrders.changeWorkOrderStatus({ id, status: COMPLETED, note: "Done" }, editor);
  const codes = await Promise.all([codeOf(complete()), codeOf(complete())]);
  expect(codes.toSorted()).toEqual(["WORK_ORDER_STATE", undefined]);
  const order = await read(id);
  expect(order).toMatchObject({ status: COMPLETED, rev: 3 });
  expect(order.statusHistory.map(({ status, note }) => [status, note])).toEqual([
    [WorkOrderStatus.OPEN, undefined],
    [IN_PROGRESS, undefined],
    [COMPLETED, "Done"],
  ]);
  await eventually(() => expect(recorded.workOrder.of(id)).toHaveLength(3));
  expect(recorded.workOrder.of(id).map(({ sequence, message }) => [sequence, message?.change.case])).toEqual([
    [1, "created"],
    [2, "statusChanged"],
    [3, "statusChanged"],
  ]);
});

test("a completion repeated under its Idempotency-Key gets the first answer; without the key it is 409", async () => {
  const { id } = await create({ assetId: newAsset() });
  await become(id, IN_PROGRESS);
  const request = { id, status: COMPLETED };
  const keyed = { ...editor, idempotencyKey: `POST /work-orders/status ${id}` };
  const first = await workOrders.changeWorkOrderStatus(request, keyed);
  expect(await workOrders.changeWorkOrderStatus(request, keyed)).toEqual(first);
  expect(await codeOf(workOrders.changeWorkOrderStatus(request, editor))).toBe("WORK_ORDER_STATE");
});

test("completed_on is today by default, and never later; reopening clears the completion", async () => {
  const { id } = await create({ assetId: newAsset() });
  await become(id, IN_PROGRESS);
  const complete = (completedOn?: string) =>
    workOrders.changeWorkOrderStatus({ id, status: COMPLETED, completedOn }, editor);
  for (const completedOn of ["2999-01-01", "2026-02-30"]) {
    expect(await failure(complete(completedOn))).toMatchObject({ violations: [{ field: "completed_on" }] });
  }
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin" });
  const [earliest, done, latest] = [today.format(), (await complete()).workOrder, today.format()];
  expect([earliest, latest]).toContain(done?.completedOn);
  const reopened = await become(id, IN_PROGRESS);
  expect([reopened.completedAt, reopened.completedOn]).toEqual([undefined, undefined]);
  const early = workOrders.changeWorkOrderStatus(
    { id, status: CANCELLED, completedOn: "2026-01-31" },
    editor,
  );
  expect(await failure(early)).toMatchObject({ violations: [{ field: "completed_on" }] });
});

test("a completed order takes notes and costs only, a cancelled one nothing: WORK_ORDER_STATE", async () => {
  const patch = (id: string, fields: object, ...paths: string[]) =>
    workOrders.updateWorkOrder({ workOrder: { id, ...fields }, updateMask: { paths } }, editor);
  const completed = await create({ assetId: newAsset() });
  await become(completed.id, IN_PROGRESS, COMPLETED);
  const { workOrder } = await patch(completed.id, { notes: "Paid" }, "notes", "labour_minutes", "other_cost");
  expect(workOrder).toMatchObject({ notes: "Paid", rev: 4 });
  expect((await patch(completed.id, { notes: "Paid" }, "notes")).workOrder?.rev).toBe(4);
  expect(await codeOf(patch(completed.id, { title: "Oil" }, "title"))).toBe("WORK_ORDER_STATE");
  const cancelled = await create({ assetId: newAsset() });
  await become(cancelled.id, CANCELLED);
  expect(await codeOf(patch(cancelled.id, { notes: "Paid" }, "notes"))).toBe("WORK_ORDER_STATE");
  expect(await codeOf(become(cancelled.id, IN_PROGRESS))).toBe("WORK_ORDER_STATE");
  const fromSchedule = await failure(patch(completed.id, { pmScheduleId: "pms_1" }, "pm_schedule_id"));
  expect(fromSchedule).toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "pm_schedule_id" }],
  });
});

test("a stale If-Match is PRECONDITION_FAILED before any WORK_ORDER_STATE", async () => {
  const { id } = await create({ assetId: newAsset() });
  await become(id, CANCELLED);
  const stale = { id, status: IN_PROGRESS, ifRevIn: [1] };
  expect(await codeOf(workOrders.changeWorkOrderStatus(stale, editor))).toBe("PRECONDITION_FAILED");
  const change = { workOrder: { id, title: "Oil" }, updateMask: { paths: ["title"] }, ifRevIn: [1] };
  expect(await codeOf(workOrders.updateWorkOrder(change, editor))).toBe("PRECONDITION_FAILED");
});

test("lists filter by status, type, asset, user, priority and words, in order of id", async () => {
  const own = await newWorkspace(maintenance);
  const calls = workOrderCalls(maintenance, own);
  const assignedTo = users.add(own.id, newId("usr"));
  const [assetId, other] = [calls.newAsset(), calls.newAsset()];
  const fields = { type: WorkOrderType.INSPECTION, priority: WorkOrderPriority.HIGH, assignedTo };
  const first = await calls.create({ assetId, ...fields, description: "Hydraulic pump" });
  const second = await calls.create({ assetId: other });
  await workOrders.changeWorkOrderStatus({ id: second.id, status: CANCELLED }, own.editor);
  const idsOf = async (filter: object) =>
    (await workOrders.listWorkOrders(filter, own.viewer)).workOrders.map(({ id }) => id);
  expect(await idsOf({})).toEqual([first.id, second.id]);
  for (const filter of [{ status: WorkOrderStatus.OPEN }, { assetId }, { assignedTo }, { q: "hydr belt" }]) {
    expect(await idsOf(filter), JSON.stringify(filter)).toEqual([first.id]);
  }
  expect(await idsOf({ type: fields.type, priority: fields.priority })).toEqual([first.id]);
  expect(await idsOf({ status: CANCELLED, q: "belt" })).toEqual([second.id]);
  expect(await idsOf({ pmScheduleId: newId("pms") })).toEqual([]);
});
