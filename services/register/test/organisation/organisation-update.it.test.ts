import { eventually } from "@asset-register/harness";
import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { DepreciationConvention } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { kindOf, recordsOf } from "../organisation-support.ts";
import { makeAsset, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const records = recordsOf(register, home);

const asset = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;

describe("a change of a record", () => {
  test("the fields of the mask are set or cleared, all others stay", async () => {
    const id = await records.property({ name: "Site", code: "S", address: "Road 1" });
    const { record } = await records.update(id, { name: "Works", code: undefined });
    expect(record).toMatchObject({ name: "Works", address: "Road 1", rev: 2 });
    expect(record?.code).toBeUndefined();
    expect(await records.read(id)).toEqual(record);
  });

  test("a change publishes the complete record and writes an audit entry with what changed", async () => {
    const workspace = await seedWorkspace(register);
    const own = recordsOf(register, workspace);
    const id = await own.custodian({ name: "Ada", email: "ada@example.com" });
    await own.update(id, { name: "Ada Lovelace", email: undefined });
    const { organisation } = register.recorded;
    await eventually(() => expect(organisation.of(id)).toHaveLength(2));
    expect(organisation.of(id)[1]).toMatchObject({
      sequence: 2,
      message: { state: { id, name: "Ada Lovelace", rev: 2 }, change: { case: "updated" } },
    });
    const entry = await eventually(() => {
      const found = register.auditEntries(workspace.id).find(({ action }) => action === "custodian.updated");
      return found ?? expect.fail("not yet");
    });
    expect(entry).toMatchObject({
      subjectId: id,
      changes: { name: ["Ada", "Ada Lovelace"], email: ["ada@example.com", undefined] },
    });
  });

  test("a change to the present values stores nothing", async () => {
    const id = await records.category({ name: "Tools", code: "T" });
    const { record } = await records.update(id, { name: "Tools", code: "T", parentId: undefined });
    expect(record?.rev).toBe(1);
  });

  test("a required field can't be cleared, an unknown one can't be changed", async () => {
    const building = await records.building(await records.property());
    const invalid = async (fields: object) => (await failure(records.update(building, fields)))?.violations;
    expect(await invalid({ name: undefined })).toMatchObject([{ field: "name" }]);
    expect(await invalid({ propertyId: undefined })).toMatchObject([{ field: "property_id" }]);
    expect(await invalid({ level: 3 })).toMatchObject([{ field: "level" }]);
    expect(await invalid({ rev: 9 })).toMatchObject([{ field: "rev" }]);
  });

  test("a missing record is NOT_FOUND, a stale revision PRECONDITION_FAILED, a missing reference NOT_FOUND", async () => {
    const id = await records.department();
    const stranger = recordsOf(register, await seedWorkspace(register));
    expect(await codeOf(stranger.update(id, { name: "X" }, [9]))).toBe("NOT_FOUND");
    expect(await codeOf(records.update(newId("dep"), { name: "X" }))).toBe("NOT_FOUND");
    await records.update(id, { name: "Second" }, [1]);
    expect(await codeOf(records.update(id, { parentId: newId("dep") }, [1]))).toBe("PRECONDITION_FAILED");
    const missing = await failure(records.update(id, { parentId: newId("dep") }, [2]));
    expect(missing).toMatchObject({ code: "NOT_FOUND", violations: [{ field: "parent_id" }] });
    expect(await records.read(id)).toMatchObject({ name: "Second", rev: 2 });
  });

  test("a user of a custodian must be known to identity", async () => {
    const id = await records.custodian();
    const known = register.users.add(home.id, newId("usr"));
    expect((await records.update(id, { userId: known })).record).toMatchObject({ userId: known });
    const unknown = await failure(records.update(id, { userId: newId("usr") }));
    expect(unknown).toMatchObject({ code: "NOT_FOUND", violations: [{ field: "user_id" }] });
  });

  test("a record can't be below itself", async () => {
    for (const kind of ["category", "department", "location"] as const) {
      const top = await records[kind]();
      const middle = await records[kind]({ parentId: top });
      const bottom = await records[kind]({ parentId: middle });
      for (const parentId of [top, middle, bottom]) {
        expect(await failure(records.update(top, { parentId }))).toMatchObject({
          code: "VALIDATION_FAILED",
          violations: [{ field: "parent_id" }],
        });
      }
      expect((await records.update(bottom, { parentId: top })).record?.parentId).toBe(top);
    }
  });
});

describe("the depreciation of a category", () => {
  const depreciation = {
    method: DepreciationMethod.STRAIGHT_LINE,
    usefulLifeMonths: 36,
    salvagePercent: 12.5,
    convention: DepreciationConvention.MID_MONTH,
  };

  test("it is stored, changed as a whole or by field, and cleared", async () => {
    const id = await records.category({ depreciation });
    expect((await records.read(id)).depreciation).toMatchObject(depreciation);
    const one = { kind: kindOf(id), id, depreciation: { usefulLifeMonths: 48 } };
    const updateMask = { paths: ["depreciation.useful_life_months", "depreciation.salvage_percent"] };
    const { record } = await register.organisation.updateRecord({ record: one, updateMask }, home.admin);
    expect(record?.depreciation).toMatchObject({ method: depreciation.method, usefulLifeMonths: 48 });
    expect(record?.depreciation?.salvagePercent).toBeUndefined();
    await records.update(id, { depreciation: { usefulLifeMonths: 12 } });
    const replaced = (await records.read(id)).depreciation;
    expect([replaced?.method, replaced?.usefulLifeMonths]).toEqual([undefined, 12]);
    await records.update(id, { depreciation: undefined });
    expect((await records.read(id)).depreciation).toBeUndefined();
  });

  test("without the capability finance it is stripped from writes and named", async () => {
    const manager = home.user("manage");
    const made = await register.organisation.createRecord(
      { record: { kind: (await records.read(await records.category())).kind, name: "C", depreciation } },
      manager,
    );
    expect(made.strippedFields).toEqual(["depreciation"]);
    expect(made.record?.depreciation).toBeUndefined();
    const id = await records.category({ depreciation });
    for (const given of [{ usefulLifeMonths: 1 }, undefined]) {
      const changed = await records.update(id, { name: "New", depreciation: given }, [], manager);
      expect(changed).toMatchObject({
        strippedFields: ["depreciation"],
        record: { name: "New", depreciation },
      });
    }
    const finance = home.user("manage", "finance");
    expect((await records.update(id, { depreciation: undefined }, [], finance)).strippedFields).toEqual([]);
  });

  test("a value out of range, or a convention that the method does not have, is refused by its path", async () => {
    const id = await records.category();
    const fields = async (given: object) =>
      (await failure(records.update(id, { depreciation: given })))?.violations.map(({ field }) => field);
    expect(await fields({ salvagePercent: 101 })).toEqual(["depreciation.salvage_percent"]);
    expect(await fields({ salvagePercent: 0.125 })).toEqual(["depreciation.salvage_percent"]);
    expect(await fields({ usefulLifeMonths: 0 })).toEqual(["depreciation.useful_life_months"]);
    const macrs = { method: DepreciationMethod.MACRS, convention: DepreciationConvention.DAILY };
    expect(await fields(macrs)).toEqual(["depreciation.convention"]);
  });
});

test("re-parenting a category or a department changes no asset", async () => {
  const [parentId, categoryId] = [await records.category(), await records.category()];
  const [above, departmentId] = [await records.department(), await records.department()];
  const id = await makeAsset(register, home, { categoryId, departmentId });
  expect((await records.update(categoryId, { parentId })).record?.placing).toBeUndefined();
  await records.update(departmentId, { parentId: above });
  expect(await asset(id)).toMatchObject({ categoryId, departmentId, rev: 1 });
});
