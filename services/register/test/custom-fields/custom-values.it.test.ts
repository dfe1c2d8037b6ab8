import { eventually } from "@asset-register/harness";
import { CustomFieldType } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { makeRecord, seedWorkspace, sharedRegister, type Workspace } from "../support.ts";
import { customFieldCalls } from "./custom-field-support.ts";

const register = await sharedRegister();

/** A workspace of its own: a required field would disturb other tests. */
async function freshCalls() {
  const workspace = await seedWorkspace(register);
  return { workspace, ...customFieldCalls(register, workspace) };
}

const category = (workspace: Workspace, name: string, parentId = "") =>
  makeRecord(register, workspace, {
    ...{ kind: OrganisationKind.CATEGORY, name },
    ...(parentId && { parentId }),
  });

describe("values of an asset", () => {
  test("of every type are stored, read, listed and published", async () => {
    const { workspace, define, asset, valuesOf } = await freshCalls();
    const options = [{ value: "red" }, { value: "blue" }];
    const { TEXT, NUMBER, BOOLEAN, DATE, DATETIME, SELECT, MULTISELECT, EMAIL } = CustomFieldType;
    await define("note", { type: TEXT });
    await define("weight", { type: NUMBER });
    await define("leased", { type: BOOLEAN });
    await define("built_on", { type: DATE });
    await define("checked_at", { type: DATETIME });
    await define("colour", { type: SELECT, options });
    await define("colours", { type: MULTISELECT, options });
    await define("contact", { type: EMAIL });
    const sent = {
      ...{ note: " second hand ", weight: 1.25, leased: false, built_on: "2026-01-31", contact: "a@b.de" },
      ...{ checked_at: "2026-01-31T10:00:00+01:00", colour: "red", colours: ["blue", "red"] },
    };
    const stored = { ...sent, note: "second hand", checked_at: "2026-01-31T09:00:00.000Z" };
    const { id, customFields } = await asset(sent);
    expect(customFields).toEqual(stored);
    expect(await valuesOf(id)).toEqual(stored);
    const listed = await register.assets.listAssets({}, workspace.admin);
    expect(listed.assets.map((one) => one.customFields)).toEqual([stored]);
    await eventually(() => {
      expect(register.recorded.asset.of(id)[0]?.message?.state?.customFields).toEqual(stored);
    });
  });

  test("that are refused name their keys, and nothing is stored", async () => {
    const { workspace, define, asset } = await freshCalls();
    await define("weight", { type: CustomFieldType.NUMBER });
    await define("owner", { required: true });
    const refused = await failure(asset({ weight: "heavy", shape: "round", a: { deep: [1] } }));
    expect(refused).toMatchObject({ code: "VALIDATION_FAILED" });
    expect(refused?.violations.map(({ field }) => field).toSorted()).toEqual([
      ...["custom_fields.a", "custom_fields.owner", "custom_fields.shape", "custom_fields.weight"],
    ]);
    // Without custom fields too.
    const bare = register.assets.createAsset({ asset: { name: "Drill" } }, workspace.admin);
    expect(await codeOf(bare)).toBe("VALIDATION_FAILED");
    const listed = await register.assets.listAssets({}, workspace.admin);
    expect(listed.page?.total).toBe(0);
  });

  test("of a deleted field are hidden, no longer required, and refused", async () => {
    const { define, remove, asset, valuesOf } = await freshCalls();
    const field = await define("owner", { required: true });
    const { id } = await asset({ owner: "Ada" });
    await remove(field.id);
    expect(await valuesOf(id)).toEqual({});
    await asset({});
    expect(await codeOf(asset({ owner: "Ada" }))).toBe("VALIDATION_FAILED");
  });

  test("with an option that became inactive are kept, and refused in new writes", async () => {
    const { define, change, asset, valuesOf } = await freshCalls();
    const options = [{ value: "red" }, { value: "blue" }];
    const field = await define("colour", { type: CustomFieldType.SELECT, options });
    const { id } = await asset({ colour: "red" });
    await change(field.id, { options: [{ value: "red", active: false }, { value: "blue" }] });
    expect(await valuesOf(id)).toEqual({ colour: "red" });
    expect(await codeOf(asset({ colour: "red" }))).toBe("VALIDATION_FAILED");
    expect(await codeOf(change(field.id, { options: [{ value: "blue" }] }))).toBe("VALIDATION_FAILED");
  });
});

test("the export has a column for each field in the order of their position, without hidden values", async () => {
  const { workspace, define, change, remove, asset } = await freshCalls();
  const chairs = await category(workspace, "Chairs");
  await define("constructor", { position: 2 });
  const scoped = await define("os", { position: 1 });
  const gone = await define("gone");
  await asset({ constructor: "Acme", os: "Linux", gone: "x" });
  await asset({});
  await change(scoped.id, { categoryIds: [chairs] });
  await remove(gone.id);
  const parts: Uint8Array[] = [];
  const reports = register.client(ReportService);
  for await (const { content } of reports.exportRegister({}, workspace.admin)) parts.push(content);
  const text = Buffer.concat(parts).toString("utf8");
  const rows = text.split("\r\n").map((line) => line.split(",").slice(-2).join());
  expect(rows).toEqual(['"custom_fields.os","custom_fields.constructor"', '"","Acme"', '"",""', ""]);
});

describe("scope", () => {
  test("a field of a category applies to those below it, and to no others", async () => {
    const { workspace, define, asset } = await freshCalls();
    const devices = await category(workspace, "Devices");
    const laptops = await category(workspace, "Laptops", devices);
    const chairs = await category(workspace, "Chairs");
    await define("os", { categoryIds: [devices], required: true });
    expect((await asset({ os: "Linux" }, laptops)).customFields).toEqual({ os: "Linux" });
    expect((await asset({ os: "Linux" }, devices)).customFields).toEqual({ os: "Linux" });
    expect(await codeOf(asset({}, laptops))).toBe("VALIDATION_FAILED");
    for (const other of [chairs, undefined]) {
      expect((await asset({}, other)).customFields).toBeUndefined();
      expect(await failure(asset({ os: "Linux" }, other))).toMatchObject({
        ...{ code: "VALIDATION_FAILED", violations: [{ field: "custom_fields.os" }] },
      });
    }
  });

  test("a category that a field applies to can't be deleted", async () => {
    const { workspace, define, remove } = await freshCalls();
    const id = await category(workspace, "Laptops");
    const field = await define("os", { categoryIds: [id] });
    const request = { kind: OrganisationKind.CATEGORY, id };
    expect(await failure(register.organisation.deleteRecord(request, workspace.admin))).toMatchObject({
      ...{ code: "RECORD_IN_USE", violations: [{ field: "custom_fields", message: "1" }] },
    });
    await remove(field.id);
    await register.organisation.deleteRecord(request, workspace.admin);
    expect(await codeOf(define("mac", { categoryIds: [id] }))).toBe("NOT_FOUND");
  });

  test("values out of scope are hidden, and come back with the scope", async () => {
    const { workspace, define, change, asset, valuesOf } = await freshCalls();
    const laptops = await category(workspace, "Laptops");
    const chairs = await category(workspace, "Chairs");
    const field = await define("os");
    await define("note");
    const { id } = await asset({ os: "Linux", note: "x" }, laptops);
    await change(field.id, { categoryIds: [chairs] });
    expect(await valuesOf(id)).toEqual({ note: "x" });
    const { assets } = await register.assets.listAssets({}, workspace.admin);
    expect(assets.map(({ customFields }) => customFields)).toEqual([{ note: "x" }]);
    await change(field.id, { categoryIds: [] });
    expect(await valuesOf(id)).toEqual({ os: "Linux", note: "x" });
  });
});

describe("unique values", () => {
  test("are unique among the assets of a workspace, without case; the refusal names the field", async () => {
    const { define, asset, uniqueRows } = await freshCalls();
    const other = await freshCalls();
    await define("colour", { unique: true });
    const field = await define("mac", { unique: true });
    const { id } = await asset({ mac: "AA:01", colour: "red" });
    expect(await failure(asset({ mac: "aa:01", colour: "blue" }))).toMatchObject({
      code: "CUSTOM_FIELD_VALUE_TAKEN",
      violations: [{ field: "custom_fields.mac", message: "is taken" }],
    });
    expect(await uniqueRows(field.id)).toMatchObject([{ assetId: id }]);
    // The refused creation has left none of its rows.
    expect((await asset({ colour: "blue" })).customFields).toEqual({ colour: "blue" });
    await other.define("mac", { unique: true });
    expect(await codeOf(other.asset({ mac: "AA:01" }))).toBeUndefined();
  });

  test("concurrent creations with one value: one is stored, the others get CUSTOM_FIELD_VALUE_TAKEN", async () => {
    const { workspace, define, asset, uniqueRows } = await freshCalls();
    const field = await define("mac", { unique: true });
    const texts = ["aa", "AA", "aA", "Aa"];
    const codes = await Promise.all(texts.map((mac) => codeOf(asset({ mac }))));
    const taken = "CUSTOM_FIELD_VALUE_TAKEN";
    expect(codes.toSorted()).toEqual([taken, taken, taken, undefined]);
    const { assets } = await register.assets.listAssets({}, workspace.admin);
    expect(assets.map(({ customFields }) => customFields)).toEqual([
      { mac: texts[codes.indexOf(undefined)] },
    ]);
    expect(await uniqueRows(field.id)).toMatchObject([{ assetId: assets[0]?.id }]);
  });

  test("of a deleted field are freed", async () => {
    const { define, remove, asset, uniqueRows } = await freshCalls();
    const field = await define("mac", { unique: true });
    await asset({ mac: "aa" });
    await remove(field.id);
    await eventually(async () => expect(await uniqueRows(field.id)).toEqual([]));
  });
});
