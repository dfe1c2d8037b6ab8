import { eventually } from "@asset-register/harness";
import {
  CustomFieldStatus,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import { create } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { makeRecord, seedWorkspace, sharedRegister } from "../support.ts";
import { customFieldCalls } from "./custom-field-support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const calls = customFieldCalls(register, home);

const number = (value: number) => create(ValueSchema, { kind: { case: "numberValue", value } });

describe("a definition", () => {
  test("is stored, read and listed as it was sent", async () => {
    const category = await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "IT" });
    const sent = {
      ...{ type: CustomFieldType.SELECT, label: "Operating system", required: true, position: 7 },
      ...{
        options: [
          { value: "linux", label: "Linux" },
          { value: "dos", active: false },
        ],
      },
      categoryIds: [category, category],
    };
    const field = await calls.define("os", sent);
    expect(field).toMatchObject({
      ...{ key: "os", label: "Operating system", type: CustomFieldType.SELECT, required: true },
      ...{ unique: false, position: 7, categoryIds: [category], rev: 1 },
      status: CustomFieldStatus.ACTIVE,
      options: [
        { value: "linux", label: "Linux", active: true },
        { value: "dos", label: "dos", active: false },
      ],
    });
    expect(field.id).toMatch(/^cfd_/);
    expect(await calls.read(field.id)).toEqual(field);
    const listed = await register.customFields.listCustomFields({}, home.admin);
    expect(listed.customFields).toContainEqual(field);
    await calls.remove(field.id);
  });

  test("forms get all fields in the order of their position, whatever their user may do", async () => {
    const workspace = await seedWorkspace(register);
    const { define } = customFieldCalls(register, workspace);
    for (const key of ["a", "b", "c"]) await define(key);
    await define("first", { position: 0 });
    await define("second", { position: 1 });
    const form = await register.customFields.listFormFields({}, workspace.user());
    expect(form.customFields.map(({ key }) => key)).toEqual(["first", "a", "second", "b", "c"]);
  });

  test("is refused with the fields that contradict its type or do not exist", async () => {
    const refused = async (definition: Parameters<typeof calls.define>[1], key = "refused") => {
      const { code, violations = [] } = (await failure(calls.define(key, definition))) ?? {};
      return [code, ...violations.map(({ field }) => field)];
    };
    expect(await refused({}, "Not a key")).toEqual(["VALIDATION_FAILED", "key"]);
    expect(await refused({ label: " " })).toEqual(["VALIDATION_FAILED", "label"]);
    expect(await refused({ min: number(3), max: number(2) })).toEqual(["VALIDATION_FAILED", "max"]);
    expect(await refused({ pattern: "(" })).toEqual(["VALIDATION_FAILED", "pattern"]);
    expect(await refused({ type: CustomFieldType.SELECT })).toEqual(["VALIDATION_FAILED", "options"]);
    expect(await refused({ categoryIds: ["cat_none"] })).toEqual(["NOT_FOUND", "category_ids.0"]);
    expect(await refused({ type: CustomFieldType.BOOLEAN, unique: true })).toEqual([
      "VALIDATION_FAILED",
      "unique",
    ]);
  });
});

describe("a change", () => {
  test("changes what the mask names, and clears what the message lacks", async () => {
    const field = await calls.define("code", { pattern: "[A-Z]+", min: number(2), max: number(9) });
    const changed = await calls.change(field.id, { label: "Code", required: true }, [1]);
    expect(changed).toMatchObject({ label: "Code", required: true, pattern: "[A-Z]+", rev: 2 });
    const cleared = await calls.change(field.id, {}, [2], ["pattern", "max", "status", "key"]);
    expect(cleared).toMatchObject({ key: "code", min: number(2), rev: 3 });
    expect([cleared.pattern, cleared.max]).toEqual([undefined, undefined]);
    expect(await calls.read(field.id)).toEqual(cleared);
    // The same values again change nothing.
    expect(await calls.change(field.id, { label: "Code" })).toEqual(cleared);
    await calls.remove(field.id);
  });

  test("of another rev is PRECONDITION_FAILED before any conflict; concurrent ones: one succeeds", async () => {
    const field = await calls.define("rev_field");
    await calls.asset({ rev_field: "x" });
    const stale = calls.change(field.id, { type: CustomFieldType.NUMBER }, [7]);
    expect(await codeOf(stale)).toBe("PRECONDITION_FAILED");
    expect(await codeOf(calls.remove(field.id, [2, 3]))).toBe("PRECONDITION_FAILED");
    const labels = ["A", "B", "C"];
    const codes = await Promise.all(labels.map((label) => codeOf(calls.change(field.id, { label }, [1]))));
    expect(codes.toSorted()).toEqual(["PRECONDITION_FAILED", "PRECONDITION_FAILED", undefined]);
    expect(await calls.read(field.id)).toMatchObject({ label: labels[codes.indexOf(undefined)], rev: 2 });
    await calls.remove(field.id, [2]);
  });

  test("of the type is CUSTOM_FIELD_TYPE_FIXED once an asset has had a value", async () => {
    const field = await calls.define("weight");
    expect((await calls.change(field.id, { type: CustomFieldType.NUMBER })).type).toBe(
      CustomFieldType.NUMBER,
    );
    await calls.asset({ weight: 2 });
    const back = calls.change(field.id, { type: CustomFieldType.TEXT });
    expect(await codeOf(back)).toBe("CUSTOM_FIELD_TYPE_FIXED");
    expect((await calls.read(field.id)).type).toBe(CustomFieldType.NUMBER);
  });

  test("of the type and a first value at once: the value fits the type that is stored", async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = `race_${round}`;
      const field = await calls.define(key);
      const [changed, written] = await Promise.all([
        codeOf(calls.change(field.id, { type: CustomFieldType.NUMBER })),
        codeOf(calls.asset({ [key]: "text" })),
      ]);
      const { type } = await calls.read(field.id);
      if (written === undefined)
        expect([changed, type]).toEqual(["CUSTOM_FIELD_TYPE_FIXED", CustomFieldType.TEXT]);
      else expect([changed, written, type]).toEqual([undefined, "VALIDATION_FAILED", CustomFieldType.NUMBER]);
    }
  });
});

describe("a key", () => {
  test("is never used again, and concurrent definitions of one key: one succeeds", async () => {
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(calls.define("once"))));
    const taken = "CUSTOM_FIELD_KEY_TAKEN";
    expect(codes.toSorted()).toEqual([taken, taken, undefined]);
    const { customFields } = await register.customFields.listCustomFields({}, home.admin);
    const [field] = customFields.filter(({ key }) => key === "once");
    await calls.remove(field!.id);
    expect(await failure(calls.define("once"))).toMatchObject({
      ...{ code: taken, violations: [{ field: "key" }] },
    });
    const elsewhere = customFieldCalls(register, await seedWorkspace(register));
    expect((await elsewhere.define("once")).key).toBe("once");
  });
});

test("a workspace has 100 fields; of several 101st ones at once none more is stored", async () => {
  const workspace = await seedWorkspace(register);
  const { define, remove } = customFieldCalls(register, workspace);
  const first = await define("f0");
  for (let group = 0; group < 14; group += 1) {
    await Promise.all(Array.from({ length: 7 }, (_, index) => define(`f${1 + group * 7 + index}`)));
  }
  const codes = await Promise.all(["x", "y", "z"].map((key) => codeOf(define(key))));
  const full = "CUSTOM_FIELD_LIMIT_REACHED";
  expect(codes.toSorted()).toEqual([full, full, undefined]);
  const { page } = await register.customFields.listCustomFields({}, workspace.admin);
  expect(page?.total).toBe(100);
  await remove(first.id);
  expect(await codeOf(define("again"))).toBeUndefined();
});

test("a field of another workspace, or a deleted one, is NOT_FOUND at any rev", async () => {
  const stranger = customFieldCalls(register, await seedWorkspace(register));
  const theirs = await stranger.define("theirs");
  const gone = await calls.define("gone");
  await calls.remove(gone.id);
  for (const { id } of [theirs, gone]) {
    const refused = [calls.read(id), calls.change(id, { label: "x" }, [9]), calls.remove(id, [9])];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "NOT_FOUND"));
  }
  expect((await stranger.read(theirs.id)).rev).toBe(1);
});

test("only manage may define fields", async () => {
  const editor = home.user("view", "edit", "create");
  expect(await codeOf(register.customFields.listCustomFields({}, editor))).toBe("FORBIDDEN");
  const customField = { key: "k", label: "k", type: CustomFieldType.TEXT };
  expect(await codeOf(register.customFields.createCustomField({ customField }, editor))).toBe("FORBIDDEN");
});

test("the audit log has each act once, with its changes", async () => {
  const field = await calls.define("audited", { required: true });
  await calls.change(field.id, { required: false });
  await calls.change(field.id, { required: false });
  await calls.remove(field.id);
  await eventually(() => {
    const entries = register.auditEntries(home.id).filter(({ subjectId }) => subjectId === field.id);
    expect(entries).toMatchObject([
      { action: "custom_field.created", changes: { key: [undefined, "audited"] } },
      { action: "custom_field.updated", changes: { required: ["true", "false"] } },
      { action: "custom_field.deleted" },
    ]);
  });
});
