import { eventually } from "@asset-register/harness";
import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import {
  CalibrationOutcome,
  type CalibrationSchema,
} from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { MeterDirectoryService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { PmScheduleStatus } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import {
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { newId } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { scheduleCalls } from "./schedule-support.ts";
import { assetEvent, newWorkspace, sharedMaintenance, workOrderCalls } from "./support.ts";

const { PASSED, FAILED } = CalibrationOutcome;
const maintenance = await sharedMaintenance(() => new Date("2026-03-05T10:00:00Z"));
const workspace = await newWorkspace(maintenance);
const { newAsset } = workOrderCalls(maintenance, workspace);
const calls = scheduleCalls(maintenance, workspace);
const { create, read, rows, generate, complete, calibrate, readMeter, manager } = calls;
const at = (text: string) => timestampFromDate(new Date(text));
const byMeter = { intervalValue: undefined, intervalUnit: undefined, basis: undefined, anchorOn: undefined };
const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe("meter readings", () => {
  test("a reading outside its neighbours in time is METER_DECREASES; a reset starts a new count", async () => {
    const assetId = newAsset();
    const first = await readMeter({ assetId, value: 100, unit: "h", readAt: at("2026-01-01T00:00:00Z") });
    await readMeter({ assetId, value: 200, readAt: at("2026-02-01T00:00:00Z") });
    const between = at("2026-01-15T00:00:00Z");
    for (const value of [99.999, 200.001]) {
      const answer = await failure(readMeter({ assetId, value, readAt: between }));
      expect(answer).toMatchObject({ code: "METER_DECREASES", violations: [{ field: "value" }] });
    }
    expect(await readMeter({ assetId, value: 150, readAt: between })).toMatchObject({
      unit: "h",
      value: 150,
    });
    expect(await codeOf(readMeter({ assetId, value: 5 }))).toBe("METER_DECREASES");
    const reset = await readMeter({ assetId, value: 5, reset: true });
    expect(reset).toMatchObject({ reset: true, unit: "h" });
    const { meterReadings } = await calls.meters.listMeterReadings({ assetId }, manager);
    expect(meterReadings).toHaveLength(4);
    expect((await calls.meters.getMeterReading({ id: first.id }, manager)).meterReading).toEqual(first);
  });

  test("of two readings at once that contradict each other one is stored", async () => {
    const assetId = newAsset();
    await readMeter({ assetId, value: 10, readAt: at("2026-01-01T00:00:00Z") });
    const results = await Promise.allSettled([
      readMeter({ assetId, value: 50, readAt: at("2026-02-01T00:00:00Z") }),
      readMeter({ assetId, value: 40, readAt: at("2026-02-02T00:00:00Z") }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "METER_DECREASES" });
    const { meterReadings } = await calls.meters.listMeterReadings({ assetId }, manager);
    expect(meterReadings).toHaveLength(2);
  });

  test("a time more than 5 minutes ahead, too many decimals and a negative value are refused on their field", async () => {
    const assetId = newAsset();
    const refused = async (fields: Parameters<typeof readMeter>[0], field: string) =>
      expect(await failure(readMeter({ assetId, value: 1, ...fields }))).toMatchObject({
        ...{ code: "VALIDATION_FAILED", violations: [{ field }] },
      });
    await refused({ readAt: at("2026-03-05T10:05:01Z") }, "read_at");
    await refused({ value: 0.0001 }, "value");
    await refused({ value: -1 }, "value");
  });

  test("a reading from a clock that is ahead is stored as now, so a completion counts it", async () => {
    const assetId = newAsset();
    await readMeter({ assetId, value: 0, readAt: at("2026-03-01T00:00:00Z") });
    const { id } = await create({ assetId, ...byMeter, meterInterval: 500 });
    const ahead = await readMeter({ assetId, value: 500, readAt: at("2026-03-05T10:04:59Z") });
    expect(ahead.readAt).toEqual(at("2026-03-05T10:00:00Z"));
    await complete(id, "2026-03-05");
    expect((await rows(id))[0]).toMatchObject({ lastCompletedMeter: 500, nextDueMeter: 1_000 });
  });

  test("another unit than that of the count is refused on unit; a reset begins a count with another one", async () => {
    const assetId = newAsset();
    await readMeter({ assetId, value: 100, unit: "h", readAt: at("2026-01-01T00:00:00Z") });
    const refused = async (fields: Parameters<typeof readMeter>[0]) =>
      expect(await failure(readMeter({ assetId, ...fields }))).toMatchObject({
        ...{ code: "VALIDATION_FAILED", violations: [{ field: "unit" }] },
      });
    await refused({ value: 150, unit: "km" });
    await refused({ value: 50, unit: "km", readAt: at("2025-12-31T00:00:00Z") });
    const reset = await readMeter({
      assetId,
      value: 7,
      unit: "km",
      reset: true,
      readAt: at("2026-02-01T00:00:00Z"),
    });
    expect(reset.unit).toBe("km");
    await refused({ value: 8, unit: "h" });
    expect((await readMeter({ assetId, value: 9 })).unit).toBe("km");
    expect((await readMeter({ assetId, value: 120, readAt: at("2026-01-15T00:00:00Z") })).unit).toBe("h");
    await refused({ value: 3, unit: "m", reset: true, readAt: at("2026-02-02T00:00:00Z") });
  });

  test("a schedule is due on the day of the reading that reaches its limit, and then counts from the completion", async () => {
    const assetId = newAsset();
    await readMeter({ assetId, value: 4_500, readAt: at("2026-01-01T00:00:00Z") });
    const { id } = await create({ assetId, ...byMeter, meterInterval: 500 });
    expect((await read(id)).nextDueOn).toBeUndefined();
    expect((await read(id)).nextDueMeter).toBe(5_000);
    // 2026-02-10 in Berlin.
    await readMeter({ assetId, value: 5_000, readAt: at("2026-02-09T23:30:00Z") });
    expect((await read(id)).nextDueOn).toBe("2026-02-10");
    await complete(id, "2026-03-01");
    expect((await rows(id))[0]).toMatchObject({ lastCompletedMeter: 5_000, nextDueMeter: 5_500 });
    await readMeter({ assetId, value: 5_200, readAt: at("2026-03-02T00:00:00Z") });
    await readMeter({ assetId, value: 0, reset: true, readAt: at("2026-03-03T00:00:00Z") });
    expect((await read(id)).nextDueMeter).toBe(300);
    await readMeter({ assetId, value: 300 });
    expect((await read(id)).nextDueOn).toBe("2026-03-05");
  });

  test("UnitsOf counts from the reading before `from` until the end of each month, across resets", async () => {
    const [assetId, late, none] = [newAsset(), newAsset(), newAsset()];
    await readMeter({ assetId, value: 100, readAt: at("2025-12-01T00:00:00Z") });
    // The last moment of January in Berlin, and the first of February.
    await readMeter({ assetId, value: 150.5, readAt: at("2026-01-31T22:59:59.999Z") });
    await readMeter({ assetId, value: 160, readAt: at("2026-01-31T23:00:00Z") });
    await readMeter({ assetId, value: 20, reset: true, readAt: at("2026-02-10T00:00:00Z") });
    await readMeter({ assetId, value: 30, readAt: at("2026-03-01T12:00:00Z") });
    await readMeter({ assetId: late, value: 7, readAt: at("2026-02-10T00:00:00Z") });
    await readMeter({ assetId: late, value: 9, readAt: at("2026-02-20T00:00:00Z") });
    const from = at("2025-12-31T23:00:00Z");
    const answer = await maintenance.client(MeterDirectoryService, "finance").unitsOf({
      workspaceId: workspace.id,
      assets: [assetId, late, none].map((one) => ({ assetId: one, from })),
      months: ["2025-12", "2026-01", "2026-02", "2026-03"],
    });
    expect(answer.assets).toMatchObject([
      { assetId, units: [0, 50.5, 60, 70] },
      { assetId: late, units: [0, 0, 2, 2] },
    ]);
  });

  test("UnitsOf takes 500 assets in one call, in any order, and refuses 501", async () => {
    const ids = Array.from({ length: 501 }, newAsset);
    const from = at("2026-01-01T00:00:00Z");
    const rows = ids.flatMap((assetId, index) =>
      [0, index].map((value, n) => ({
        ...{ _id: newId("mtr"), workspaceId: workspace.id, assetId, value, reset: false },
        ...{ readAt: new Date(Date.UTC(2026, 0, 2 + n)) },
      })),
    );
    await maintenance.mongo.collection("meter_readings").insertMany(rows);
    const directory = maintenance.client(MeterDirectoryService, "finance");
    const unitsOf = (assets: string[]) =>
      directory.unitsOf({
        ...{ workspaceId: workspace.id, months: ["2026-01"] },
        assets: assets.map((assetId) => ({ assetId, from })),
      });
    const { assets } = await unitsOf(ids.slice(0, 500).toReversed());
    expect(new Map(assets.map(({ assetId, units }) => [assetId, units]))).toEqual(
      new Map(ids.slice(0, 500).map((id, index) => [id, [index]])),
    );
    expect(await codeOf(unitsOf(ids))).toBe("VALIDATION_FAILED");
  });
});

describe("calibrations", () => {
  const plan = (fields: object = {}) =>
    create({ template: { type: WorkOrderType.CALIBRATION }, ...fields, title: "Calibrate" });

  test("a passed one moves its plan, a failed one leaves it due; without a plan it counts for all of the asset", async () => {
    const assetId = newAsset();
    const [one, other, usual] = [await plan({ assetId }), await plan({ assetId }), await create({ assetId })];
    expect(one.nextDueOn).toBe("2026-01-31");
    await calibrate({ assetId, result: FAILED, performedOn: "2026-02-15", pmScheduleId: one.id });
    expect((await read(one.id)).nextDueOn).toBe("2026-01-31");
    await calibrate({ assetId, result: PASSED, performedOn: "2026-02-15", pmScheduleId: one.id });
    expect((await read(one.id)).nextDueOn).toBe("2026-03-15");
    expect((await read(other.id)).nextDueOn).toBe("2026-01-31");
    const made = await calibrate({ assetId, result: PASSED, measured: [{ name: "Pressure", value: 2.01 }] });
    expect(made).toMatchObject({ performedOn: "2026-03-05", measured: [{ name: "Pressure", value: 2.01 }] });
    for (const { id } of [one, other]) expect((await read(id)).nextDueOn).toBe("2026-04-05");
    expect((await read(usual.id)).nextDueOn).toBe("2026-01-31");
    const { calibrations } = await calls.calibrations.listCalibrations({ assetId }, manager);
    expect(calibrations).toHaveLength(3);
    expect((await calls.calibrations.getCalibration({ id: made.id }, manager)).calibration).toEqual(made);
  });

  test("a certificate is an attachment of the same asset", async () => {
    const [assetId, other] = [newAsset(), newAsset()];
    const attachments = maintenance.client(AttachmentService);
    const add = async (to: string) => {
      const content = async function* () {
        yield Buffer.from("%PDF-1.7\n");
      };
      const header = { assetId: to, name: "certificate.pdf" };
      return (await attachments.addAttachment(header, content(), manager)).attachment?.id ?? "";
    };
    const certificateAttachmentId = await add(assetId);
    const made = await calibrate({ assetId, result: PASSED, certificateAttachmentId });
    expect((await calls.calibrations.getCalibration({ id: made.id }, manager)).calibration).toMatchObject({
      certificateAttachmentId,
    });
    const foreign = calibrate({ assetId, result: PASSED, certificateAttachmentId: await add(other) });
    expect(await failure(foreign)).toMatchObject({
      ...{ code: "NOT_FOUND", violations: [{ field: "certificate_attachment_id" }] },
    });
  });

  test("an order of a plan records a calibration, which moves the plan; a failed one completes the order only", async () => {
    const { id } = await plan({ assetId: newAsset() });
    const finish = async (result: CalibrationOutcome) => {
      const { workOrder } = await generate(id);
      const order = { id: workOrder!.id };
      const status = maintenance.workOrders.changeWorkOrderStatus;
      await status({ ...order, status: WorkOrderStatus.IN_PROGRESS }, manager);
      expect(await codeOf(status({ ...order, status: WorkOrderStatus.COMPLETED }, manager))).toBe(
        "VALIDATION_FAILED",
      );
      const calibration = { result, performedOn: "2026-03-01" };
      await status({ ...order, status: WorkOrderStatus.COMPLETED, calibration }, manager);
    };
    await finish(FAILED);
    expect((await read(id)).nextDueOn).toBe("2026-01-31");
    await finish(PASSED);
    expect((await read(id)).nextDueOn).toBe("2026-04-01");
  });

  test("a plan that calibrations name stays one; a plan without any may become another schedule", async () => {
    const [named, unnamed] = [await plan({ assetId: newAsset() }), await plan({ assetId: newAsset() })];
    await calibrate({ assetId: named.assetId!, result: FAILED, pmScheduleId: named.id });
    const usual = { template: { type: WorkOrderType.PREVENTIVE } };
    expect(await failure(calls.change(named.id, usual, "template.type"))).toMatchObject({
      ...{ code: "VALIDATION_FAILED", violations: [{ field: "template.type" }] },
    });
    expect((await calls.change(unnamed.id, usual, "template.type")).template?.type).toBe(
      WorkOrderType.PREVENTIVE,
    );
    expect((await calls.change(named.id, { title: "Gauge" }, "title")).title).toBe("Gauge");
  });

  test("plans are in /calibrations/due only, other schedules in /maintenance/due only, in order of the date", async () => {
    const own = await newWorkspace(maintenance);
    const [assetId, list] = [workOrderCalls(maintenance, own).newAsset(), scheduleCalls(maintenance, own)];
    const make = (anchorOn: string, type: WorkOrderType) =>
      list.create({ assetId, anchorOn, template: { type } });
    const today = await make("2026-03-05", WorkOrderType.PREVENTIVE);
    const overdue = await make("2026-01-31", WorkOrderType.INSPECTION);
    const soon = await make("2026-03-12", WorkOrderType.PREVENTIVE);
    const calibration = await make("2026-03-05", WorkOrderType.CALIBRATION);
    const due = async (days?: number) =>
      (await list.dueLists.listMaintenanceDue({ days }, list.manager)).dueRows.map((row) => row.pmScheduleId);
    expect(await due(0)).toEqual([overdue.id, today.id]);
    expect(await due(6)).toEqual([overdue.id, today.id]);
    expect(await due(7)).toEqual([overdue.id, today.id, soon.id]);
    expect(await due()).toEqual([overdue.id, today.id, soon.id]);
    const { dueRows } = await list.dueLists.listCalibrationsDue({}, list.manager);
    expect(dueRows.map((row) => row.pmScheduleId)).toEqual([calibration.id]);
    expect(await codeOf(list.dueLists.listMaintenanceDue({ days: 3651 }, list.manager))).toBe(
      "VALIDATION_FAILED",
    );
  });

  test("unknown references, a later date and a disposed asset are refused", async () => {
    const assetId = newAsset();
    const usual = await create({ assetId });
    const refused = async (fields: MessageInitShape<typeof CalibrationSchema>, code: string, field: string) =>
      expect(await failure(calibrate({ assetId, result: PASSED, ...fields }))).toMatchObject({
        ...{ code, violations: [{ field }] },
      });
    await refused({ pmScheduleId: newId("pms") }, "NOT_FOUND", "pm_schedule_id");
    await refused({ pmScheduleId: usual.id }, "VALIDATION_FAILED", "pm_schedule_id");
    await refused({ certificateAttachmentId: newId("att") }, "NOT_FOUND", "certificate_attachment_id");
    await refused({ performedOn: "2026-03-06" }, "VALIDATION_FAILED", "performed_on");
    await maintenance.publish(assetEvent(workspace.id, assetId, 2, { disposed: true }));
    await eventually(async () => expect((await read(usual.id)).status).toBe(PmScheduleStatus.ENDED));
    expect(await codeOf(calibrate({ assetId, result: PASSED }))).toBe("ASSET_DISPOSED");
    expect(await codeOf(readMeter({ assetId, value: 1 }))).toBe("ASSET_DISPOSED");
  });
});
