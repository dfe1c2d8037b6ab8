import { eventually } from "@asset-register/harness";
import { HistoryAction, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { euros, historyOf, patchAsset, readAsset } from "../asset-support.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister, type Workspace } from "../support.ts";

const ids: Record<string, string> = {};
const register = await sharedRegister();
const home = await seedWorkspace(register);
const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
const { PROPERTY, BUILDING, FLOOR, LOCATION, CUSTODIAN, CATEGORY } = OrganisationKind;
const propertyId = await make({ kind: PROPERTY, name: "Site" });
const buildingId = await make({ kind: BUILDING, name: "B", propertyId });
const floorId = await make({ kind: FLOOR, name: "Ground", level: 0, buildingId });
ids.property = propertyId;
ids.building = buildingId;
ids.floor = floorId;
ids.upper = await make({ kind: FLOOR, name: "Upper", level: 1, buildingId });
ids.room = await make({ kind: LOCATION, name: "Room", floorId });
ids.yard = await make({ kind: LOCATION, name: "Yard", propertyId });
ids.ada = await make({ kind: CUSTODIAN, name: "Ada" });
ids.tools = await make({ kind: CATEGORY, name: "Tools" });

const read = (id: string) => readAsset(register, home, id);
const history = (id: string) => historyOf(register, home, id);
const patch = (
  id: string,
  fields: Parameters<typeof patchAsset>[3],
  ifRevIn: number[] = [],
  as: Workspace["admin"] = home.admin,
) => patchAsset(register, as, id, fields, ifRevIn);
const movementsOf = async (assetId: string) =>
  (await register.custody.listMovements({ assetId }, home.admin)).movements;

describe("a PATCH", () => {
  test("changed fields are one rev, one event and one row with the values before and after", async () => {
    const id = await makeAsset(register, home, { model: "X1", cost: euros(1250n), supplier: "Acme" });
    const change = {
      name: "Saw",
      model: undefined,
      cost: euros(99n),
      supplier: undefined,
      categoryId: ids.tools,
    };
    const { asset, strippedFields } = await patch(id, change);
    expect(strippedFields).toEqual([]);
    expect(asset).toMatchObject({ rev: 2, name: "Saw", cost: euros(99n), categoryId: ids.tools });
    expect([asset?.model, asset?.supplier]).toEqual([undefined, undefined]);
    expect(await read(id)).toEqual(asset);
    const rows = await history(id);
    expect(rows.map(({ action }) => action)).toEqual([HistoryAction.CREATED, HistoryAction.UPDATED]);
    expect(rows[1]).toMatchObject({ actor: { id: expect.stringMatching(/^usr_/) }, assetId: id });
    const changes = rows[1]?.changes.map(({ field, before, after }) => [field, before, after]);
    expect(changes).toEqual([
      ["name", "Drill", "Saw"],
      ["category_id", undefined, ids.tools],
      ["model", "X1", undefined],
      ["cost", "12.50", "0.99"],
      ["supplier", "Acme", undefined],
    ]);
    await eventually(() => {
      const last = register.recorded.asset.of(id).at(-1);
      expect(last?.sequence).toBe(2);
      const fields = ["name", "category_id", "model", "cost", "supplier"];
      expect(last?.message?.change).toMatchObject({ case: "updated", value: { fields } });
    });
  });

  test("without a change nothing is written, and the rev stays", async () => {
    const id = await makeAsset(register, home, { model: "X1", locationId: ids.room, custodianId: ids.ada });
    const before = await read(id);
    const same = {
      name: "Drill",
      model: "X1",
      locationId: ids.room,
      custodianId: ids.ada,
      supplier: undefined,
    };
    for (const change of [{}, same]) expect((await patch(id, change)).asset).toEqual(before);
    expect(await history(id)).toHaveLength(1);
    expect(await movementsOf(id)).toEqual([]);
  });

  test("place and custodian with other fields: one rev, one movement of reason edit, rows updated and moved", async () => {
    const id = await makeAsset(register, home, { locationId: ids.yard });
    const { asset } = await patch(id, { name: "Saw", locationId: ids.room, custodianId: ids.ada });
    expect(asset).toMatchObject({ rev: 2, floorId: ids.floor, buildingId: ids.building });
    const moves = await movementsOf(id);
    expect(moves).toMatchObject([
      { fromLocationId: ids.yard, toLocationId: ids.room, toCustodianId: ids.ada, reason: "edit" },
    ]);
    expect(moves[0]?.at).toEqual(asset?.updatedAt);
    const rows = (await history(id)).slice(1);
    const fields = rows.map(({ action, changes }) => [action, changes.map(({ field }) => field)]);
    expect(fields).toEqual([
      [HistoryAction.UPDATED, ["name"]],
      [HistoryAction.MOVED, ["location_id", "custodian_id"]],
    ]);
    await eventually(() => {
      expect(register.recorded.asset.of(id).map(({ sequence }) => sequence)).toEqual([1, 2]);
      expect(register.recorded.movement.of(id).map(({ sequence }) => sequence)).toEqual([1]);
    });
  });

  test("null empties a level and those below; the lowest level that is set decides", async () => {
    const id = await makeAsset(register, home, { locationId: ids.room });
    const place = async (change: object) => {
      const { asset } = await patch(id, change);
      return [asset?.propertyId, asset?.buildingId, asset?.floorId, asset?.locationId];
    };
    const { property, building, floor, upper, room, yard } = ids;
    expect(await place({ locationId: undefined })).toEqual([property, building, floor, undefined]);
    expect(await place({ locationId: yard })).toEqual([property, undefined, undefined, yard]);
    expect(await place({ floorId: upper })).toEqual([property, building, upper, undefined]);
    expect(await place({ locationId: room, floorId: floor })).toEqual([property, building, floor, room]);
    expect(await place({ buildingId: undefined })).toEqual([property, undefined, undefined, undefined]);
    expect(await place({ floorId: floor, locationId: undefined })).toEqual([
      property,
      building,
      floor,
      undefined,
    ]);
    expect(await place({ propertyId: undefined })).toEqual([undefined, undefined, undefined, undefined]);
    const reached = (await movementsOf(id)).map(({ toLocationId }) => toLocationId);
    expect(reached).toEqual([undefined, yard, undefined, room, undefined]);
    const [last] = (await history(id)).slice(-1);
    expect(last?.changes.map(({ field }) => field)).toEqual(["property_id", "building_id", "floor_id"]);
  });

  test("a level that disagrees is refused by field, and a missing or foreign record is NOT_FOUND by field", async () => {
    const id = await makeAsset(register, home, { locationId: ids.room });
    const disagreeing = await failure(patch(id, { locationId: ids.room, floorId: ids.upper }));
    expect(disagreeing).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "floor_id" }] });
    const emptied = await failure(patch(id, { locationId: ids.room, propertyId: undefined }));
    expect(emptied).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "property_id" }] });
    const missing = await failure(patch(id, { categoryId: newId("cat"), custodianId: ids.room }));
    expect(missing?.code).toBe("NOT_FOUND");
    expect(missing?.violations.map(({ field }) => field)).toEqual(["category_id", "custodian_id"]);
    expect((await read(id)).rev).toBe(1);
  });

  test("finance fields of a caller without finance are stripped and named, also when they are cleared", async () => {
    const id = await makeAsset(register, home, { cost: euros(100n), supplier: "Acme" });
    const editor = home.user("edit");
    const change = { name: "Saw", cost: euros(1n), supplier: undefined, inServiceDate: "2026-01-31" };
    const { asset, strippedFields } = await patch(id, change, [], editor);
    expect(strippedFields).toEqual(["cost", "in_service_date", "supplier"]);
    expect(asset).toMatchObject({ name: "Saw", cost: euros(100n), supplier: "Acme", rev: 2 });
    // Only stripped fields: nothing changes.
    expect((await patch(id, { cost: euros(1n) }, [], editor)).asset?.rev).toBe(2);
    expect((await patch(id, { cost: euros(1n) }, [], home.user("edit", "finance"))).asset?.rev).toBe(3);
  });

  test("fields that cannot be changed or cleared, invalid values and other currencies are refused by field", async () => {
    const id = await makeAsset(register, home);
    const refused = async (change: object, paths?: string[]) => {
      const error = await failure(patchAsset(register, home.admin, id, change, [], paths));
      return [error?.code, ...(error?.violations.map(({ field }) => field) ?? [])];
    };
    expect(await refused({ statusId: "x", rev: 3 })).toEqual(["VALIDATION_FAILED", "status_id", "rev"]);
    expect(await refused({}, ["workspace_id", "nbv"])).toEqual(["VALIDATION_FAILED", "workspace_id", "nbv"]);
    expect(await refused({ name: "", number: undefined })).toEqual(["VALIDATION_FAILED", "name", "number"]);
    expect(await refused({ usefulLifeMonths: 0 })).toEqual(["VALIDATION_FAILED", "useful_life_months"]);
    const dollars = { minorUnits: 1n, currency: "USD" };
    expect(await refused({ cost: dollars })).toEqual(["VALIDATION_FAILED", "cost"]);
    expect((await read(id)).rev).toBe(1);
  });

  test("the net book value follows the cost until finance has published figures", async () => {
    const id = await makeAsset(register, home, { cost: euros(1000n) });
    expect((await patch(id, { cost: euros(400n) })).asset?.nbv).toMatchObject(euros(400n));
    expect((await read(id)).nbv).toMatchObject(euros(400n));
    expect((await patch(id, { cost: undefined })).asset?.nbv).toBeUndefined();
    expect((await read(id)).nbv).toBeUndefined();
    await register.mongo
      .collection("assets")
      .updateOne({ _id: id, workspaceId: home.id }, { $set: { nbv: 70, accumulatedDepreciation: 30 } });
    expect((await patch(id, { cost: euros(500n) })).asset?.nbv).toMatchObject(euros(70n));
    expect(await read(id)).toMatchObject({ nbv: euros(70n), cost: euros(500n) });
  });

  test("while the asset is checked out, its custodian stays; its place and other fields change", async () => {
    const id = await makeAsset(register, home);
    const issued = { assetId: id, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
    await register.custody.createCheckout(issued, home.admin);
    expect(await codeOf(patch(id, { custodianId: ids.ada }))).toBe("ASSET_CHECKED_OUT");
    expect(await codeOf(patch(id, { custodianId: ids.ada }, [1]))).toBe("PRECONDITION_FAILED");
    const { asset } = await patch(id, { name: "Saw", locationId: ids.room, custodianId: undefined }, [2]);
    expect(asset).toMatchObject({ rev: 3, locationId: ids.room, currentCheckout: { issuedToName: "Acme" } });
  });

  test("a missing, foreign or deleted asset is NOT_FOUND at any revision", async () => {
    const stranger = await seedWorkspace(register);
    const theirs = await makeAsset(register, stranger);
    const deleted = await makeAsset(register, home);
    await register.assets.deleteAsset({ id: deleted }, home.admin);
    for (const id of [theirs, deleted, newId("ast")]) {
      expect(await codeOf(patch(id, { name: "Mine" }, [9]))).toBe("NOT_FOUND");
    }
    expect((await readAsset(register, stranger, theirs)).name).toBe("Drill");
  });
});

describe("the number", () => {
  const numbered = (number: string) => makeAsset(register, home, { number });

  test("earlier numbers of an asset stay its own: others are refused, and it may take them back", async () => {
    const workspace = await seedWorkspace(register);
    const [one, two] = [await makeAsset(register, workspace), await makeAsset(register, workspace)];
    const change = (id: string, number: string) => patchAsset(register, workspace.admin, id, { number });
    await change(one, "LAP-1");
    const error = await failure(change(two, "ast-000001"));
    expect(error).toMatchObject({ code: "ASSET_NUMBER_TAKEN", violations: [{ field: "number" }] });
    expect(await codeOf(change(two, "lap-1"))).toBe("ASSET_NUMBER_TAKEN");
    const creation = { asset: { name: "Saw", number: "Ast-000001" } };
    expect(await codeOf(register.assets.createAsset(creation, workspace.admin))).toBe("ASSET_NUMBER_TAKEN");
    expect((await change(one, "ast-000001")).asset?.number).toBe("ast-000001");
    expect((await change(one, "AST-000001")).asset).toMatchObject({ number: "AST-000001", rev: 4 });
    expect(await codeOf(change(two, "LAP-1"))).toBe("ASSET_NUMBER_TAKEN");
    // The counter skips numbers of the past.
    await change(two, "AST-000003");
    await change(two, "TWO");
    const { asset } = await register.assets.createAsset({ asset: { name: "Saw" } }, workspace.admin);
    expect(asset?.number).toBe("AST-000004");
    const { assets } = await register.assets.listAssets({ q: "two" }, workspace.admin);
    expect(assets.map(({ id }) => id)).toEqual([two]);
  });

  test("the number of a deleted asset is never given again", async () => {
    const id = await numbered("GONE-1");
    await patch(id, { number: "GONE-2" });
    await register.assets.deleteAsset({ id }, home.admin);
    const other = await makeAsset(register, home);
    for (const number of ["gone-1", "gone-2"]) {
      expect(await codeOf(patch(other, { number }))).toBe("ASSET_NUMBER_TAKEN");
      expect(await codeOf(numbered(number))).toBe("ASSET_NUMBER_TAKEN");
    }
  });
});
