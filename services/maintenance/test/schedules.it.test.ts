import {
  IntervalUnit,
  PmScheduleStatus,
  ScheduleBasis,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import {
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { AppError, newId } from "@asset-register/runtime";
import { caller, codeOf } from "@asset-register/service-harness";
import { describe, expect, onTestFinished, test } from "vitest";
import { monthly, scheduleCalls } from "./schedule-support.ts";
import { newWorkspace, sharedMaintenance, workOrderCalls } from "./support.ts";

const start = new Date("2026-03-05T10:00:00Z");
let now = start;
const resetNow = () => {
  now = start;
};
const maintenance = await sharedMaintenance(() => now);
const workspace = await newWorkspace(maintenance);
const { newAsset } = workOrderCalls(maintenance, workspace);
const calls = scheduleCalls(maintenance, workspace);
const { create, read, rows, change, generate, complete, schedules, manager } = calls;
/** The code and the first field of a refusal. */
const violationsOf = (error: unknown) =>
  error instanceof AppError ? [error.code, error.violations?.[0]?.field] : [error];
const ownKey = (key: string) => ({ ...manager, idempotencyKey: key });

describe("a schedule of an asset", () => {
  test("it is created with its due row, can be read and is listed", async () => {
    const assetId = newAsset();
    const made = await create({ assetId, leadDays: 7 });
    expect(made).toMatchObject({
      ...{
        assetId,
        status: PmScheduleStatus.ACTIVE,
        nextDueOn: "2026-01-31",
        openFrom: "2026-01-24",
        rev: 1,
      },
      template: { type: WorkOrderType.PREVENTIVE },
    });
    expect(made.progress).toBeUndefined();
    expect(await read(made.id)).toEqual(made);
    expect(await rows(made.id)).toMatchObject([
      { assetId, nextDueOn: "2026-01-31", scheduleTitle: "Lubricate" },
    ]);
    const listed = await schedules.listPmSchedules({}, manager);
    expect(listed.pmSchedules.map(({ id }) => id)).toContain(made.id);
  });

  test("the anchor is today in the time zone of the workspace by default", async () => {
    const santiago = await newWorkspace(maintenance, "America/Santiago");
    const apia = await newWorkspace(maintenance, "Pacific/Apia");
    onTestFinished(resetNow);
    now = new Date("2026-09-06T03:59:59Z");
    for (const [home, expected] of [
      [santiago, "2026-09-05"],
      [apia, "2026-09-06"],
    ] as const) {
      const assetId = workOrderCalls(maintenance, home).newAsset();
      const made = await scheduleCalls(maintenance, home).create({ assetId, anchorOn: undefined });
      expect(made.nextDueOn).toBe(expected);
    }
  });

  test("a completion advances the due date and makes nothing; a late one skips the missed dates", async () => {
    const assetId = newAsset();
    const { id } = await create({ assetId });
    await complete(id, "2026-03-05");
    expect(await read(id)).toMatchObject({ nextDueOn: "2026-03-31" });
    expect(await rows(id)).toMatchObject([{ lastCompletedOn: "2026-03-05" }]);
    expect((await rows(id))[0]?.workOrderId).toBeUndefined();
    const orders = await maintenance.workOrders.listWorkOrders({ pmScheduleId: id }, manager);
    expect(orders.workOrders).toHaveLength(1);
  });

  test("an order that is reopened and completed again counts from its due date and its new date", async () => {
    const { id } = await create({ assetId: newAsset(), basis: ScheduleBasis.FLOATING });
    const order = await complete(id, "2026-03-01");
    expect((await read(id)).nextDueOn).toBe("2026-04-01");
    const status = (to: WorkOrderStatus, completedOn?: string) =>
      maintenance.workOrders.changeWorkOrderStatus({ id: order, status: to, completedOn }, manager);
    await status(WorkOrderStatus.IN_PROGRESS);
    expect((await read(id)).nextDueOn).toBe("2026-04-01");
    await status(WorkOrderStatus.COMPLETED, "2026-02-15");
    expect((await read(id)).nextDueOn).toBe("2026-03-15");
  });

  test("an order is not reopened beside another unfinished one of its schedule: WORK_ORDER_STATE", async () => {
    const { id } = await create({ assetId: newAsset() });
    const first = await complete(id, "2026-03-01");
    await generate(id);
    const reopen = { id: first, status: WorkOrderStatus.IN_PROGRESS };
    expect(await codeOf(maintenance.workOrders.changeWorkOrderStatus(reopen, manager))).toBe(
      "WORK_ORDER_STATE",
    );
  });

  test("a schedule that is changed after work was done counts from the last completion", async () => {
    const { id } = await create({ assetId: newAsset() });
    await complete(id, "2026-03-01");
    const floating = await change(id, { basis: ScheduleBasis.FLOATING }, "basis");
    expect(floating).toMatchObject({ nextDueOn: "2026-04-01", rev: 2 });
    const weekly = await change(id, { intervalUnit: IntervalUnit.WEEK }, "interval_unit");
    expect(weekly.nextDueOn).toBe("2026-03-08");
    expect((await change(id, { endsOn: "2026-03-07" }, "ends_on")).nextDueOn).toBeUndefined();
    expect((await change(id, { endsOn: undefined }, "ends_on")).nextDueOn).toBe("2026-03-08");
    const same = await change(id, { title: "Lubricate" }, "title");
    expect(same.rev).toBe(5);
  });

  test("an order from before a corrected anchor does not bring the old dates back", async () => {
    const { id } = await create({ assetId: newAsset(), anchorOn: "2027-01-31" });
    const { workOrder } = await generate(id);
    expect(workOrder?.pmDueOn).toBe("2027-01-31");
    expect((await change(id, { anchorOn: "2026-01-31" }, "anchor_on")).nextDueOn).toBe("2026-01-31");
    await complete(id, "2026-03-05");
    expect((await read(id)).nextDueOn).toBe("2026-03-31");
  });

  test("a change of one field of the template keeps the others; the whole template can be replaced", async () => {
    const template = { title: "Grease", type: WorkOrderType.INSPECTION, description: "All bearings" };
    const { id } = await create({ assetId: newAsset(), template });
    const renamed = await change(id, { template: { title: "Oil" } }, "template.title");
    expect(renamed.template).toMatchObject({ ...template, title: "Oil" });
    const cleared = await change(id, { template: {} }, "template.description");
    expect(cleared.template).toMatchObject({ title: "Oil", type: WorkOrderType.INSPECTION });
    expect(cleared.template?.description).toBeUndefined();
    const replaced = await change(id, { template: { title: "Clean" } }, "template");
    expect(replaced.template).toMatchObject({ title: "Clean", type: WorkOrderType.PREVENTIVE });
    expect(
      await change(id, { template: { assignedTo: "usr_x" } }, "template.assigned_to").catch(violationsOf),
    ).toEqual(["NOT_FOUND", "template.assigned_to"]);
  });

  test("deleting it removes its due row and keeps its orders", async () => {
    const { id } = await create({ assetId: newAsset() });
    const { workOrder } = await generate(id);
    await schedules.deletePmSchedule({ id }, manager);
    expect(await codeOf(read(id))).toBe("NOT_FOUND");
    expect(
      await maintenance.mongo
        .collection("due_rows")
        .countDocuments({ workspaceId: workspace.id, pmScheduleId: id } as object),
    ).toBe(0);
    const kept = await maintenance.workOrders.getWorkOrder({ id: workOrder!.id }, manager);
    expect(kept.workOrder?.status).toBe(WorkOrderStatus.OPEN);
  });

  test("a repeat with the Idempotency-Key gets the first answer", async () => {
    const request = { pmSchedule: { ...monthly, assetId: newAsset() } };
    const key = ownKey(newId("key"));
    const first = await schedules.createPmSchedule(request, key);
    expect(await schedules.createPmSchedule(request, key)).toEqual(first);
  });
});

describe("generate", () => {
  test("it makes an order before the due date, which changes no due date; the next call returns the same", async () => {
    const { id, assetId } = await create({
      assetId: newAsset(),
      anchorOn: "2026-12-31",
      template: { title: "Grease" },
    });
    const first = await generate(id);
    expect(first).toMatchObject({
      created: true,
      workOrder: { title: "Grease", assetId, pmDueOn: "2026-12-31" },
    });
    const second = await generate(id);
    expect(second).toMatchObject({ created: false, workOrder: { id: first.workOrder!.id } });
    expect((await read(id)).nextDueOn).toBe("2026-12-31");
    expect(await rows(id)).toMatchObject([{ workOrderId: first.workOrder!.id }]);
  });

  test("concurrent calls make one order, and all return it", async () => {
    const { id } = await create({ assetId: newAsset() });
    const answers = await Promise.all(Array.from({ length: 5 }, () => generate(id)));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ workOrder }) => workOrder?.id)).size).toBe(1);
    const stored = { workspaceId: workspace.id, pmScheduleId: id } as object;
    expect(await maintenance.mongo.collection("work_orders").countDocuments(stored)).toBe(1);
  });

  test("after the last day it is SCHEDULE_ENDED, and the schedule has no due date", async () => {
    const { id } = await create({ assetId: newAsset(), endsOn: "2026-03-04" });
    expect(await codeOf(generate(id))).toBe("SCHEDULE_ENDED");
    const past = await read(id);
    expect([past.status, past.nextDueOn]).toEqual([PmScheduleStatus.ACTIVE, undefined]);
    onTestFinished(resetNow);
    now = new Date("2026-03-04T22:59:59Z");
    expect((await generate(id)).created).toBe(true);
  });
});

test("each invalid schedule is refused on its field", async () => {
  const assetId = newAsset();
  const refused = async (fields: Parameters<typeof create>[0], field: string, code = "VALIDATION_FAILED") =>
    expect([fields, await create(fields).catch((error: unknown) => error)]).toMatchObject([
      fields,
      { code, violations: [{ field }] },
    ]);
  await refused({}, "asset_id");
  await refused({ assetId, categoryId: newId("cat") }, "category_id");
  await refused({ assetId, intervalUnit: undefined }, "interval_unit");
  await refused({ assetId, intervalValue: 0 }, "interval_value");
  await refused({ assetId, intervalValue: undefined, intervalUnit: undefined }, "interval_value");
  await refused({ assetId, basis: undefined }, "basis");
  await refused({ assetId, anchorOn: "2026-02-30" }, "anchor_on");
  await refused({ assetId, endsOn: "2026-01-30" }, "ends_on");
  await refused({ assetId, meterInterval: 0.0001 }, "meter_interval");
  await refused({ assetId: newId("ast") }, "asset_id", "NOT_FOUND");
  await refused({ categoryId: newId("cat") }, "category_id", "NOT_FOUND");
  await refused({ assetId, template: { assignedTo: "usr_x" } }, "template.assigned_to", "NOT_FOUND");
});

test("a stale rev is PRECONDITION_FAILED, a foreign schedule NOT_FOUND, and its asset can't be changed", async () => {
  const { id } = await create({ assetId: newAsset() });
  const stranger = caller.user(newId("wsp"), "manage", "edit", "view");
  expect(await codeOf(schedules.getPmSchedule({ id }, stranger))).toBe("NOT_FOUND");
  expect(await codeOf(schedules.deletePmSchedule({ id, ifRevIn: [2] }, manager))).toBe("PRECONDITION_FAILED");
  expect(await codeOf(schedules.generateWorkOrders({ id, ifRevIn: [2] }, manager))).toBe(
    "PRECONDITION_FAILED",
  );
  expect(await codeOf(change(id, { assetId: "ast_1" }, "asset_id"))).toBe("VALIDATION_FAILED");
});
