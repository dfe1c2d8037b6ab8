import { eventually } from "@asset-register/harness";
import { Collection } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  codeOf,
  failure,
  makeRecord,
  type RunningRegister,
  seedWorkspace,
  startRegister,
  type Workspace,
} from "./support.ts";

let register: RunningRegister;
let home: Workspace;
beforeAll(async () => {
  register = await startRegister();
  home = await seedWorkspace(register);
});
afterAll(() => register.stop());

const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
const refusal = (record: Parameters<typeof makeRecord>[2]) =>
  failure(register.organisation.createRecord({ record }, home.admin));

describe("organisation records", () => {
  test("of all seven collections are kept, read and listed as they were given", async () => {
    const propertyId = await make({
      case: "property",
      value: { name: "Site", code: "S", address: "Road 1" },
    });
    const buildingId = await make({ case: "building", value: { name: "B", code: "1", propertyId } });
    const floorId = await make({ case: "floor", value: { name: "Cellar", level: -1, buildingId } });
    const locationId = await make({ case: "location", value: { name: "Room", code: "R", floorId } });
    const categoryId = await make({ case: "category", value: { name: "Tools" } });
    const departmentId = await make({ case: "department", value: { name: "Works" } });
    const custodianId = await make({
      case: "custodian",
      value: { name: "Ada", email: "ada@example.com", employeeNo: "7", departmentId },
    });
    const get = async (collection: Collection, id: string) =>
      (await register.organisation.getRecord({ collection, id }, home.user("view"))).record;

    expect((await get(Collection.PROPERTIES, propertyId))?.record.value).toMatchObject({ address: "Road 1" });
    expect((await get(Collection.FLOORS, floorId))?.record.value).toMatchObject({ level: -1, buildingId });
    expect((await get(Collection.CUSTODIANS, custodianId))?.record.value).toMatchObject({ departmentId });
    expect((await get(Collection.LOCATIONS, locationId))?.record).toMatchObject({
      case: "location",
      value: { name: "Room", floorId, propertyId },
    });
    const lists = new Map([
      [Collection.BUILDINGS, buildingId],
      [Collection.CATEGORIES, categoryId],
      [Collection.DEPARTMENTS, departmentId],
    ]);
    for (const [collection, id] of lists) {
      const { records, page } = await register.organisation.listRecords({ collection }, home.user("view"));
      expect(records.map((record) => record.id)).toEqual([id]);
      expect(page?.total).toBe(1n);
    }
  });

  test("need parents that exist in the workspace and are of the right kind, named by field", async () => {
    const stranger = await seedWorkspace(register);
    const foreign = await makeRecord(register, stranger, { case: "property", value: { name: "Site" } });
    const category = await make({ case: "category", value: { name: "Tools" } });
    const missing = (field: string) => ({ kind: "not_found", violations: [{ field }] });
    expect(await refusal({ case: "building", value: { name: "B", propertyId: foreign } })).toMatchObject(
      missing("property_id"),
    );
    expect(await refusal({ case: "department", value: { name: "D", parentId: category } })).toMatchObject(
      missing("parent_id"),
    );
    expect(await refusal({ case: "floor", value: { name: "F", buildingId: newId("bld") } })).toMatchObject(
      missing("building_id"),
    );
    expect(await refusal({ case: "floor", value: { name: "F" } })).toMatchObject({
      kind: "invalid",
      violations: [{ field: "building_id" }],
    });
  });

  test("of custodians are of users that identity knows in the workspace", async () => {
    const stranger = await seedWorkspace(register);
    const [own, foreign] = [newId("usr"), newId("usr")];
    register.users.add(`${home.id}:${own}`).add(`${stranger.id}:${foreign}`);
    const userId = (id: string) => ({ case: "custodian" as const, value: { name: "Ada", userId: id } });
    expect(await make(userId(own))).toMatch(/^cus_/);
    for (const unknown of [foreign, newId("usr")]) {
      expect(await refusal(userId(unknown))).toMatchObject({
        kind: "not_found",
        violations: [{ field: "user_id" }],
      });
    }
  });

  test("of locations stand where their parent stands, and a parent elsewhere is refused", async () => {
    const propertyId = await make({ case: "property", value: { name: "Site" } });
    const other = await make({ case: "property", value: { name: "Other" } });
    const parentId = await make({ case: "location", value: { name: "Hall", propertyId } });
    const shelf = await make({ case: "location", value: { name: "Shelf", parentId } });
    const request = { collection: Collection.LOCATIONS, id: shelf };
    const { record } = await register.organisation.getRecord(request, home.admin);
    expect(record?.record.value).toMatchObject({ parentId, propertyId });
    const elsewhere = await refusal({
      case: "location",
      value: { name: "Shelf", parentId, propertyId: other },
    });
    expect(elsewhere).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "parent_id" }] });
  });

  test("are seen by keys as far as their scope goes: locations alone", async () => {
    const key = home.key("locations:read");
    const list = (collection: Collection) => register.organisation.listRecords({ collection }, key);
    expect((await list(Collection.LOCATIONS)).records.length).toBeGreaterThan(0);
    expect(await codeOf(list(Collection.CUSTODIANS))).toBe("FORBIDDEN");
    const record = { case: "property", value: { name: "Site" } } as const;
    expect(await codeOf(register.organisation.createRecord({ record }, home.user("edit")))).toBe("FORBIDDEN");
  });

  test("are told to other services, which ask for one collection of a workspace", async () => {
    const other = await seedWorkspace(register);
    const ids = [
      await makeRecord(register, home, { case: "category", value: { name: "Tools" } }),
      await makeRecord(register, home, { case: "property", value: { name: "Site" } }),
      await makeRecord(register, other, { case: "category", value: { name: "Tools" } }),
      "cat_none",
    ];
    const asked = { workspaceId: home.id, collection: Collection.CATEGORIES, ids };
    const { existingIds } = await register.recordDirectory.resolveRecords(asked);
    expect(existingIds).toEqual(ids.slice(0, 1));
    const nothing = { ...asked, collection: Collection.UNSPECIFIED };
    expect(await codeOf(register.recordDirectory.resolveRecords(nothing))).toBe("VALIDATION_FAILED");
  });

  test("are told to the audit log once for each that is made, with who made it by which request", async () => {
    const workspace = await seedWorkspace(register);
    const { principal } = workspace.admin;
    const by = { ...workspace.admin, requestId: "req-1", idempotencyKey: "floor-1" };
    const propertyId = await makeRecord(register, workspace, { case: "property", value: { name: "Site" } });
    const building = { name: "B", code: "1", propertyId };
    const buildingId = await makeRecord(register, workspace, { case: "building", value: building });
    const floor = { case: "floor", value: { name: "Cellar", level: -1, buildingId } } as const;
    const made = await register.organisation.createRecord({ record: floor }, by);
    await register.organisation.createRecord({ record: floor }, by);
    const last = await makeRecord(register, workspace, { case: "category", value: { name: "Tools" } });
    // Each on the partition of its own record: the last one may come before the others.
    const acts = await eventually(() => {
      const found = register.acts.of(workspace.id).sort((a, b) => a.action.localeCompare(b.action));
      expect(found.map(({ action, subjectId }) => [action, subjectId])).toEqual([
        ["building.created", buildingId],
        ["category.created", last],
        ["floor.created", made.record?.id],
        ["property.created", propertyId],
      ]);
      return found;
    });
    expect(acts[2]).toMatchObject({
      actor: { kind: "user", id: principal.kind === "user" && principal.id },
      requestId: "req-1",
    });
    expect(acts[2]?.changes).toEqual({
      name: [undefined, "Cellar"],
      level: [undefined, "-1"],
      building_id: [undefined, buildingId],
      property_id: [undefined, propertyId],
    });
  });

  test("are not found under another collection's name or from another workspace", async () => {
    const id = await make({ case: "property", value: { name: "Site" } });
    const stranger = await seedWorkspace(register);
    const get = (collection: Collection, caller: Workspace) =>
      register.organisation.getRecord({ collection, id }, caller.admin);
    expect(await codeOf(get(Collection.BUILDINGS, home))).toBe("NOT_FOUND");
    expect(await codeOf(get(Collection.PROPERTIES, stranger))).toBe("NOT_FOUND");
    expect(await codeOf(get(Collection.UNSPECIFIED, home))).toBe("VALIDATION_FAILED");
  });
});
