import { eventually } from "@asset-register/harness";
import {
  DisposalMethod,
  type DisposeAssetRequestSchema,
  HistoryAction,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { localDate, newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { euros, historyOf, patchAsset, readAsset, statusIds } from "../asset-support.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

// The register's own clock may go back when it is read again, after a slow first reading.
const register = await sharedRegister();
const home = await seedWorkspace(register);
const statuses = await statusIds(register, home);

const read = (id: string) => readAsset(register, home, id);
const history = (id: string) => historyOf(register, home, id);
const checkOut = (assetId: string) =>
  register.custody.createCheckout(
    { assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" },
    home.admin,
  );
const setStatus = (id: string, key: string, ifRevIn: number[] = [], note = "") =>
  register.assets.changeStatus({ id, statusId: statuses[key] ?? key, ifRevIn, note }, home.admin);
const { SOLD, SCRAPPED, TRANSFERRED } = DisposalMethod;
const dispose = (
  id: string,
  more: Partial<Omit<MessageInitShape<typeof DisposeAssetRequestSchema>, "$typeName" | "$unknown">> = {},
  as = home.admin,
) => register.assets.disposeAsset({ id, method: SCRAPPED, ...more }, as);
const remove = (id: string, ifRevIn: number[] = []) =>
  register.assets.deleteAsset({ id, ifRevIn }, home.admin);
const inCode = async (call: Promise<unknown>) => {
  const error = await failure(call);
  return [error?.code, ...(error?.violations.map(({ field }) => field) ?? [])];
};

describe("the status", () => {
  test("a change is one rev, one event and one row with the note; the present status changes nothing", async () => {
    const id = await makeAsset(register, home);
    const { asset } = await setStatus(id, "damaged", [1], "Fell down");
    expect(asset).toMatchObject({ statusId: statuses.damaged, rev: 2 });
    expect((await setStatus(id, "damaged", [], "Again")).asset).toEqual(asset);
    expect(await read(id)).toEqual(asset);
    expect((await history(id)).slice(1)).toMatchObject([
      {
        action: HistoryAction.STATUS,
        note: "Fell down",
        changes: [{ field: "status_id", before: statuses.in_stock, after: statuses.damaged }],
      },
    ]);
    await eventually(() => {
      const events = register.recorded.asset.of(id);
      expect(events.map(({ message }) => message?.statusKey)).toEqual(["in_stock", "damaged"]);
    });
  });

  test("the order of checks is 404, 412, then the rules; an unknown or foreign status is NOT_FOUND by field", async () => {
    const stranger = await seedWorkspace(register);
    const foreign = (await statusIds(register, stranger)).lost ?? "";
    const id = await makeAsset(register, home);
    expect(await inCode(setStatus(id, foreign, [9]))).toEqual(["NOT_FOUND", "status_id"]);
    expect(await inCode(setStatus(newId("ast"), "lost", [9]))).toEqual(["NOT_FOUND"]);
    expect(await inCode(setStatus(id, "lost", [9]))).toEqual(["PRECONDITION_FAILED", "rev"]);
    expect(await inCode(setStatus(id, "disposed"))).toEqual(["VALIDATION_FAILED", "status_id"]);
    await checkOut(id);
    expect(await inCode(setStatus(id, "retired", [1]))).toEqual(["PRECONDITION_FAILED", "rev"]);
    expect(await inCode(setStatus(id, "retired", [2]))).toEqual(["ASSET_CHECKED_OUT", "checkout_id"]);
    expect((await setStatus(id, "lost")).asset?.currentCheckout?.issuedToName).toBe("Acme");
    expect((await read(id)).rev).toBe(3);
  });
});

describe("a disposal", () => {
  test("it sets status and disposal in one rev with one event, two rows and an entry of the audit log", async () => {
    const id = await makeAsset(register, home, { cost: euros(1000n), inServiceDate: "2026-01-31" });
    const given = { date: "2026-02-28", method: SOLD, proceeds: euros(950n), note: "To a dealer" };
    const { asset } = await dispose(id, given, home.user("finance"));
    const { date, method, proceeds, note } = given;
    expect(asset).toMatchObject({ rev: 2, statusId: statuses.disposed, nbv: euros(1000n) });
    expect(asset?.disposed).toMatchObject({ date, method, proceeds, note, at: asset?.updatedAt });
    expect(asset?.gainLoss).toBeUndefined();
    expect(await read(id)).toEqual(asset);
    const changes = [
      { field: "disposed.date", after: "2026-02-28" },
      { field: "disposed.method", after: "sold" },
      { field: "disposed.proceeds", after: "9.50" },
    ];
    expect((await history(id)).slice(1)).toMatchObject([
      { action: HistoryAction.DISPOSED, note: "To a dealer", changes },
      { action: HistoryAction.STATUS, changes: [{ after: statuses.disposed }] },
    ]);
    await eventually(() => {
      const events = register.recorded.asset.of(id);
      expect(events).toHaveLength(2);
      expect(events[1]?.message).toMatchObject({ statusKey: "disposed", change: { case: "disposed" } });
      expect(events[1]?.message?.state?.disposed).toMatchObject({ date, method, proceeds });
      const entries = register.auditEntries(home.id).filter(({ subjectId }) => subjectId === id);
      const recorded = Object.fromEntries(changes.map(({ field, after }) => [field, [undefined, after]]));
      expect(entries).toMatchObject([{ action: "asset.disposed", changes: recorded }]);
    });
  });

  test("its date is today in the zone of the workspace, not later, and not before the in-service date", async () => {
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const workspace = await seedWorkspace(register, { timeZone });
      const [one, two] = [await makeAsset(register, workspace), await makeAsset(register, workspace)];
      const from = localDate(new Date(), timeZone);
      const { asset } = await dispose(one, {}, workspace.admin);
      // The day may change while the test runs.
      expect([from, localDate(new Date(), timeZone)]).toContain(asset?.disposed?.date);
      const date = localDate(new Date(Date.now() + 86_400_000), timeZone);
      expect(await inCode(dispose(two, { date }, workspace.admin))).toEqual(["VALIDATION_FAILED", "date"]);
    }
    const used = await makeAsset(register, home, { inServiceDate: "2026-03-01" });
    expect(await inCode(dispose(used, { date: "2026-02-28" }))).toEqual(["VALIDATION_FAILED", "date"]);
    expect(await inCode(dispose(used, { date: "2026-02-30" }))).toEqual(["VALIDATION_FAILED", "date"]);
    expect((await dispose(used, { date: "2026-03-01" })).asset?.disposed?.date).toBe("2026-03-01");
  });

  test("proceeds are required for sold and transferred, and otherwise absent or 0, in the workspace's currency", async () => {
    const id = await makeAsset(register, home);
    const invalid = ["VALIDATION_FAILED", "proceeds"];
    expect(await inCode(dispose(id, { method: SOLD }))).toEqual(invalid);
    expect(await inCode(dispose(id, { method: TRANSFERRED }))).toEqual(invalid);
    expect(await inCode(dispose(id, { proceeds: euros(1n) }))).toEqual(invalid);
    expect(await inCode(dispose(id, { method: SOLD, proceeds: euros(-1n) }))).toEqual(invalid);
    const dollars = { minorUnits: 1n, currency: "USD" };
    expect(await inCode(dispose(id, { method: SOLD, proceeds: dollars }))).toEqual(invalid);
    expect(await inCode(dispose(id, { method: 0 }))).toEqual(["VALIDATION_FAILED", "method"]);
    const { asset } = await dispose(id, { method: TRANSFERRED, proceeds: euros(0n) });
    expect(asset?.disposed?.proceeds).toMatchObject(euros(0n));
  });

  test("any status may be disposed; an asset that is checked out may not", async () => {
    const retired = await makeAsset(register, home);
    await setStatus(retired, "retired");
    expect((await dispose(retired)).asset?.statusId).toBe(statuses.disposed);
    const issued = await makeAsset(register, home);
    await checkOut(issued);
    expect(await inCode(dispose(issued, { ifRevIn: [1] }))).toEqual(["PRECONDITION_FAILED", "rev"]);
    expect(await inCode(dispose(issued))).toEqual(["ASSET_CHECKED_OUT", "checkout_id"]);
    expect(await inCode(dispose(newId("ast"), { ifRevIn: [1] }))).toEqual(["NOT_FOUND"]);
  });

  test("a disposed asset refuses changes of place, custodian, number, status and finance fields; the rest may be corrected", async () => {
    const custodianId = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Ada" });
    const locationId = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Room" });
    const id = await makeAsset(register, home, { cost: euros(100n) });
    await dispose(id);
    const patch = (fields: Parameters<typeof patchAsset>[3], as = home.admin) =>
      patchAsset(register, as, id, fields);
    const refused = [
      patch({ locationId }),
      patch({ custodianId }),
      patch({ number: "NEW-1" }),
      patch({ cost: euros(1n) }),
      patch({ supplier: "Acme" }),
      patch({ name: "Saw", inServiceDate: "2026-01-31" }),
      setStatus(id, "in_stock"),
      dispose(id),
      checkOut(id),
      register.custody.createMovement({ assetId: id, toCustodianId: custodianId }, home.admin),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "ASSET_DISPOSED"));
    expect((await read(id)).rev).toBe(2);
    // The same values are no change, and stripped fields are not compared.
    expect((await patch({ cost: euros(100n) })).asset?.rev).toBe(2);
    expect((await setStatus(id, "disposed")).asset?.rev).toBe(2);
    const corrected = { name: "Saw", description: "Old", manufacturer: "B", model: "M", serialNumber: "S" };
    const { asset } = await patch({ ...corrected, cost: euros(1n) }, home.user("edit"));
    expect(asset).toMatchObject({ ...corrected, rev: 3, cost: euros(100n) });
  });
});

describe("a deletion", () => {
  test("the asset is NOT_FOUND, the lists below it answer, and the event has its state", async () => {
    const locationId = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Room" });
    const id = await makeAsset(register, home);
    await register.custody.createMovement({ assetId: id, toLocationId: locationId }, home.admin);
    await checkOut(id);
    expect(await inCode(remove(id, [1]))).toEqual(["PRECONDITION_FAILED", "rev"]);
    expect(await inCode(remove(id))).toEqual(["ASSET_CHECKED_OUT", "checkout_id"]);
    await register.custody.returnCheckout({ target: { case: "assetId", value: id } }, home.admin);
    await remove(id, [4]);
    const { assets, custody } = register;
    const gone = [
      assets.getAsset({ id }, home.admin),
      remove(id, [9]),
      setStatus(id, "lost"),
      dispose(id),
      checkOut(id),
      assets.getAssetPosition({ id, asOf: timestampFromDate(new Date()) }, home.admin),
    ];
    expect(await Promise.all(gone.map(codeOf))).toEqual(gone.map(() => "NOT_FOUND"));
    const below = { assetId: id, assetMustExist: true };
    expect((await custody.listMovements(below, home.admin)).page?.total).toBe(1);
    expect((await custody.listCheckouts(below, home.admin)).page?.total).toBe(1);
    expect((await history(id)).at(-1)).toMatchObject({ action: HistoryAction.DELETED, changes: [] });
    await eventually(() => {
      const last = register.recorded.asset.of(id).at(-1);
      expect(last).toMatchObject({ sequence: 5, message: { change: { case: "deleted" } } });
      expect(last?.message?.state).toMatchObject({ id, deletedAt: expect.anything(), locationId });
    });
  });

  test("posted depreciation forbids it; a disposed asset without any may be deleted", async () => {
    const id = await makeAsset(register, home);
    const rows = register.mongo.collection("assets");
    const accumulated = (minor: number) =>
      rows.updateOne({ _id: id, workspaceId: home.id }, { $set: { accumulatedDepreciation: minor } });
    await accumulated(1);
    expect(await inCode(remove(id))).toEqual(["ASSET_HAS_DEPRECIATION", "asset_id"]);
    await accumulated(0);
    await dispose(id);
    await remove(id);
    expect(await codeOf(read(id))).toBe("NOT_FOUND");
  });

  test("the history of a missing or foreign asset is NOT_FOUND; that of a deleted one has pages", async () => {
    const id = await makeAsset(register, home);
    for (const key of ["lost", "in_stock", "damaged"]) await setStatus(id, key);
    await remove(id);
    const stranger = await seedWorkspace(register);
    expect(await codeOf(register.assets.listHistory({ assetId: id }, stranger.admin))).toBe("NOT_FOUND");
    expect(await codeOf(history(newId("ast")))).toBe("NOT_FOUND");
    const request = { assetId: id, page: { limit: 3 } };
    const first = await register.assets.listHistory(request, home.user("view"));
    expect(first.page?.total).toBe(5);
    const page = { limit: 3, cursor: first.page?.nextCursor ?? "" };
    const second = await register.assets.listHistory({ assetId: id, page }, home.admin);
    const actions = [...first.entries, ...second.entries].map(({ action }) => action);
    const { CREATED, STATUS, DELETED } = HistoryAction;
    expect(actions).toEqual([CREATED, STATUS, STATUS, STATUS, DELETED]);
  });
});

describe("an asset at an instant", () => {
  test("place, custodian and status are those of then, with the ancestors of today", async () => {
    const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
    const propertyId = await make({ kind: OrganisationKind.PROPERTY, name: "Site" });
    const yard = await make({ kind: OrganisationKind.LOCATION, name: "Yard", propertyId });
    const custodianId = await make({ kind: OrganisationKind.CUSTODIAN, name: "Ada" });
    const id = await makeAsset(register, home, { locationId: yard });
    const created = await read(id);
    const { asset: lost } = await setStatus(id, "lost");
    const { asset: moved } = await patchAsset(register, home.admin, id, {
      locationId: undefined,
      custodianId,
    });
    const at = async (instant = new Date()) =>
      (await register.assets.getAssetPosition({ id, asOf: timestampFromDate(instant) }, home.user("view")))
        .position;
    const then = (asset: typeof lost) => timestampDate(asset!.updatedAt!);
    const first = { id, number: created.number, name: "Drill", locationId: yard, propertyId };
    expect(await at(then(created))).toMatchObject({ ...first, statusId: statuses.in_stock });
    expect(await at(then(lost))).toMatchObject({ ...first, statusId: statuses.lost });
    const last = await at(then(moved));
    expect(last).toMatchObject({ custodianId, statusId: statuses.lost, asOf: moved?.updatedAt });
    expect([last?.locationId, last?.propertyId]).toEqual([undefined, undefined]);
    const before = new Date(then(created).getTime() - 1);
    expect(await codeOf(at(before))).toBe("NOT_FOUND");
    expect(await inCode(at(new Date(Date.now() + 60_000)))).toEqual(["VALIDATION_FAILED", "as_of"]);
    const stranger = await seedWorkspace(register);
    const asOf = timestampFromDate(then(moved));
    expect(await codeOf(register.assets.getAssetPosition({ id, asOf }, stranger.admin))).toBe("NOT_FOUND");
  });
});
