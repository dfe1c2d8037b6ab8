import { eventually } from "@asset-register/harness";
import { HistoryAction } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustomFieldType } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import type { JsonObject } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { historyOf, patchAsset } from "../asset-support.ts";
import { makeRecord, seedWorkspace, sharedRegister } from "../support.ts";
import { customFieldCalls } from "./custom-field-support.ts";

const register = await sharedRegister();

const TAKEN = "CUSTOM_FIELD_VALUE_TAKEN";

async function freshCalls() {
  const workspace = await seedWorkspace(register);
  const patch = async (id: string, customFields: JsonObject, ifRevIn: number[] = []) => {
    const asset = { id, customFields };
    const request = { asset, updateMask: { paths: ["custom_fields"] }, ifRevIn };
    return (await register.assets.updateAsset(request, workspace.admin)).asset!;
  };
  const category = (name: string) =>
    makeRecord(register, workspace, { kind: OrganisationKind.CATEGORY, name });
  return { workspace, patch, category, ...customFieldCalls(register, workspace) };
}

test("a change merges values by key; null removes one; history and event name the keys", async () => {
  const { workspace, patch, define, asset, valuesOf } = await freshCalls();
  for (const key of ["colour", "owner", "note"]) await define(key);
  const { id } = await asset({ colour: "red", owner: "Ada" });
  const changed = await patch(id, { colour: null, owner: "Ben", note: "new" }, [1]);
  expect(changed).toMatchObject({ rev: 2, customFields: { owner: "Ben", note: "new" } });
  expect(await valuesOf(id)).toEqual({ owner: "Ben", note: "new" });
  const history = await historyOf(register, workspace, id);
  expect(history.find(({ action }) => action === HistoryAction.UPDATED)?.changes).toMatchObject([
    { field: "custom_fields.colour", before: "red" },
    { field: "custom_fields.owner", before: "Ada", after: "Ben" },
    { field: "custom_fields.note", after: "new" },
  ]);
  await eventually(() => {
    expect(register.recorded.asset.of(id).at(-1)?.message).toMatchObject({
      ...{ state: { customFields: { owner: "Ben", note: "new" } }, change: { case: "updated" } },
    });
  });
  // The same values again change nothing.
  expect((await patch(id, { owner: "Ben", colour: null })).rev).toBe(2);
  expect(await codeOf(patch(id, { owner: "Cleo" }, [1]))).toBe("PRECONDITION_FAILED");
  expect(await failure(patch(id, { owner: 1, shape: "x" }))).toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "custom_fields.owner" }, { field: "custom_fields.shape" }],
  });
  const none = await patchAsset(register, workspace.admin, id, {}, [], ["custom_fields"]);
  expect(none.asset?.customFields).toBeUndefined();
});

test("concurrent changes of different keys are both kept", async () => {
  const { patch, define, asset, valuesOf } = await freshCalls();
  const keys = ["a", "b", "c", "d"];
  for (const key of keys) await define(key);
  const { id } = await asset({});
  await Promise.all(keys.map((key) => eventually(() => patch(id, { [key]: key }))));
  expect(await valuesOf(id)).toEqual({ a: "a", b: "b", c: "c", d: "d" });
});

test("a required field is checked when custom fields or the category are written, and not otherwise", async () => {
  const { workspace, patch, define, asset, category } = await freshCalls();
  await define("note");
  const { id } = await asset({ note: "x" });
  await define("owner", { required: true });
  const rename = patchAsset(register, workspace.admin, id, { name: "Saw" });
  expect((await rename).asset).toMatchObject({ name: "Saw", customFields: { note: "x" } });
  const missing = { code: "VALIDATION_FAILED", violations: [{ field: "custom_fields.owner" }] };
  expect(await failure(patch(id, { note: "y" }))).toMatchObject(missing);
  const categoryId = await category("Tools");
  expect(await failure(patchAsset(register, workspace.admin, id, { categoryId }))).toMatchObject(missing);
  expect((await patch(id, { owner: "Ada" })).customFields).toEqual({ note: "x", owner: "Ada" });
});

test("a change of category hides values out of scope; they come back with the category", async () => {
  const { workspace, patch, define, asset, category, valuesOf } = await freshCalls();
  const [laptops, chairs] = [await category("Laptops"), await category("Chairs")];
  const field = await define("serial", { unique: true });
  await define("mac", { unique: true, categoryIds: [laptops] });
  const { id } = await asset({ mac: "aa", serial: "1" }, laptops);
  const moved = await patchAsset(register, workspace.admin, id, { categoryId: chairs });
  expect(moved.asset?.customFields).toEqual({ serial: "1" });
  expect(await codeOf(patch(id, { mac: "bb" }))).toBe("VALIDATION_FAILED");
  // A hidden value stays taken: otherwise it could not come back.
  expect(await codeOf(asset({ mac: "AA" }, laptops))).toBe(TAKEN);
  await patchAsset(register, workspace.admin, id, {}, [], ["category_id"]);
  expect(await valuesOf(id)).toEqual({ serial: "1" });
  await patchAsset(register, workspace.admin, id, { categoryId: laptops });
  expect(await valuesOf(id)).toEqual({ mac: "aa", serial: "1" });
  expect(field.unique).toBe(true);
});

test("a changed unique value frees the old one; concurrent changes to one value: one succeeds", async () => {
  const { patch, define, asset, uniqueRows } = await freshCalls();
  const field = await define("mac", { unique: true });
  const ids = await Promise.all(["a", "b", "c"].map(async (mac) => (await asset({ mac })).id));
  const codes = await Promise.all(ids.map((id) => codeOf(patch(id, { mac: "same" }))));
  expect(codes.toSorted()).toEqual([TAKEN, TAKEN, undefined]);
  const winner = codes.indexOf(undefined);
  expect(await codeOf(asset({ mac: "abc"[winner]! }))).toBeUndefined();
  expect((await uniqueRows(field.id)).map(({ valueKey }) => valueKey).toSorted()).toEqual([
    "1:a",
    "1:b",
    "1:c",
    "1:same",
  ]);
  await patch(ids[winner]!, { mac: null });
  expect(await codeOf(asset({ mac: "SAME" }))).toBeUndefined();
});

test("a deletion frees unique values", async () => {
  const { workspace, define, asset } = await freshCalls();
  await define("mac", { unique: true });
  const { id } = await asset({ mac: "aa" });
  expect(await codeOf(asset({ mac: "aa" }))).toBe(TAKEN);
  await register.assets.deleteAsset({ id }, workspace.admin);
  expect(await codeOf(asset({ mac: "aa" }))).toBeUndefined();
});

test("values that are changed while a field becomes unique: no two assets keep one value", async () => {
  for (let round = 0; round < 3; round += 1) {
    const { workspace, patch, define, change, asset, read, uniqueRows } = await freshCalls();
    const field = await define("mac");
    const ids = await Promise.all([0, 1, 2, 3, 4, 5].map(async (n) => (await asset({ mac: `old ${n}` })).id));
    const changes = ids.map((id, index) => codeOf(patch(id, { mac: `new ${index % 4}` })));
    const [code] = await Promise.all([codeOf(change(field.id, { unique: true })), ...changes]);
    expect(code).toBeUndefined();
    const { unique } = await eventually(async () => {
      const now = await read(field.id);
      expect(now.progress).toBeUndefined();
      return now;
    });
    if (!unique) continue;
    const { assets } = await register.assets.listAssets({}, workspace.admin);
    const values = assets.map(({ id, customFields }) => [id, `1:${customFields?.mac}`]);
    expect(new Set(values.map(([, value]) => value)).size).toBe(6);
    const rows = (await uniqueRows(field.id)).map(({ assetId, valueKey }) => [assetId, valueKey]);
    expect(rows.toSorted()).toEqual(values.toSorted());
  }
});

test("an inactive option that is used can be kept in a change", async () => {
  const { patch, define, change, asset } = await freshCalls();
  const options = [{ value: "red" }, { value: "blue" }];
  const field = await define("colours", { type: CustomFieldType.MULTISELECT, options });
  const { id } = await asset({ colours: ["red"] });
  await change(field.id, { options: [{ value: "red", active: false }, { value: "blue" }] });
  expect((await patch(id, { colours: ["red", "blue"] })).customFields).toEqual({ colours: ["red", "blue"] });
  await patch(id, { colours: ["blue"] });
  expect(await codeOf(patch(id, { colours: ["red"] }))).toBe("VALIDATION_FAILED");
});
