import { eventually } from "@asset-register/harness";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { makeRecord, seedWorkspace, sharedRegister, type Workspace } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);

const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
const refusal = (record: Parameters<typeof makeRecord>[2]) =>
  failure(register.organisation.createRecord({ record }, home.admin));

describe("organisation records", () => {
  test("records of all seven collections are stored, read and listed as they were given", async () => {
    const propertyId = await make({
      kind: OrganisationKind.PROPERTY,
      name: "Site",
      code: "S",
      address: "Road 1",
    });
    const buildingId = await make({ kind: OrganisationKind.BUILDING, name: "B", code: "1", propertyId });
    const floorId = await make({ kind: OrganisationKind.FLOOR, name: "Cellar", level: -1, buildingId });
    const locationId = await make({ kind: OrganisationKind.LOCATION, name: "Room", code: "R", floorId });
    const categoryId = await make({ kind: OrganisationKind.CATEGORY, name: "Tools" });
    const departmentId = await make({ kind: OrganisationKind.DEPARTMENT, name: "Works" });
    const custodianId = await make({
      kind: OrganisationKind.CUSTODIAN,
      name: "Ada",
      email: "ada@example.com",
      employeeNo: "7",
      departmentId,
    });
    const get = async (kind: OrganisationKind, id: string) =>
      (await register.organisation.getRecord({ kind, id }, home.user("view"))).record;

    expect(await get(OrganisationKind.PROPERTY, propertyId)).toMatchObject({
      address: "Road 1",
    });
    expect(await get(OrganisationKind.FLOOR, floorId)).toMatchObject({
      level: -1,
      buildingId,
    });
    expect(await get(OrganisationKind.CUSTODIAN, custodianId)).toMatchObject({
      departmentId,
    });
    expect(await get(OrganisationKind.LOCATION, locationId)).toMatchObject({
      kind: OrganisationKind.LOCATION,
      name: "Room",
      floorId,
      propertyId,
    });
    const lists = new Map([
      [OrganisationKind.BUILDING, buildingId],
      [OrganisationKind.CATEGORY, categoryId],
      [OrganisationKind.DEPARTMENT, departmentId],
    ]);
    for (const [kind, id] of lists) {
      const { records, page } = await register.organisation.listRecords({ kind }, home.user("view"));
      expect(records.map((record) => record.id)).toEqual([id]);
      expect(page?.total).toBe(1);
    }
  });

  test("a parent that is missing, foreign or of another kind is NOT_FOUND by field", async () => {
    const stranger = await seedWorkspace(register);
    const foreign = await makeRecord(register, stranger, { kind: OrganisationKind.PROPERTY, name: "Site" });
    const category = await make({ kind: OrganisationKind.CATEGORY, name: "Tools" });
    const missing = (field: string) => ({ kind: "not_found", violations: [{ field }] });
    expect(await refusal({ kind: OrganisationKind.BUILDING, name: "B", propertyId: foreign })).toMatchObject(
      missing("property_id"),
    );
    expect(await refusal({ kind: OrganisationKind.DEPARTMENT, name: "D", parentId: category })).toMatchObject(
      missing("parent_id"),
    );
    expect(
      await refusal({ kind: OrganisationKind.FLOOR, name: "F", buildingId: newId("bld") }),
    ).toMatchObject(missing("building_id"));
    expect(await refusal({ kind: OrganisationKind.FLOOR, name: "F" })).toMatchObject({
      kind: "invalid",
      violations: [{ field: "building_id" }],
    });
  });

  test("the user of a custodian must be known to identity in the workspace", async () => {
    const stranger = await seedWorkspace(register);
    const [own, foreign] = [newId("usr"), newId("usr")];
    register.users.add(home.id, own);
    register.users.add(stranger.id, foreign);
    const userId = (id: string) => ({ kind: OrganisationKind.CUSTODIAN, name: "Ada", userId: id });
    expect(await make(userId(own))).toMatch(/^cus_/);
    for (const unknown of [foreign, newId("usr")]) {
      expect(await refusal(userId(unknown))).toMatchObject({
        kind: "not_found",
        violations: [{ field: "user_id" }],
      });
    }
  });

  test("a location inherits its parent's place, and a parent in another place is refused", async () => {
    const propertyId = await make({ kind: OrganisationKind.PROPERTY, name: "Site" });
    const other = await make({ kind: OrganisationKind.PROPERTY, name: "Other" });
    const parentId = await make({ kind: OrganisationKind.LOCATION, name: "Hall", propertyId });
    const shelf = await make({ kind: OrganisationKind.LOCATION, name: "Shelf", parentId });
    const request = { kind: OrganisationKind.LOCATION, id: shelf };
    const { record } = await register.organisation.getRecord(request, home.admin);
    expect(record).toMatchObject({ parentId, propertyId });
    const elsewhere = await refusal({
      kind: OrganisationKind.LOCATION,
      name: "Shelf",
      parentId,
      propertyId: other,
    });
    expect(elsewhere).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "parent_id" }] });
  });

  test("API keys with locations:read may list locations and no other collection", async () => {
    const key = home.key("locations:read");
    const list = (kind: OrganisationKind) => register.organisation.listRecords({ kind }, key);
    expect((await list(OrganisationKind.LOCATION)).records.length).toBeGreaterThan(0);
    expect(await codeOf(list(OrganisationKind.CUSTODIAN))).toBe("FORBIDDEN");
    const record = { kind: OrganisationKind.PROPERTY, name: "Site" } as const;
    expect(await codeOf(register.organisation.createRecord({ record }, home.user("edit")))).toBe("FORBIDDEN");
  });

  test("other services resolve records of one kind and workspace", async () => {
    const other = await seedWorkspace(register);
    const ids = [
      await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "Tools" }),
      await makeRecord(register, home, { kind: OrganisationKind.PROPERTY, name: "Site" }),
      await makeRecord(register, other, { kind: OrganisationKind.CATEGORY, name: "Tools" }),
      "cat_none",
    ];
    const asked = { workspaceId: home.id, kind: OrganisationKind.CATEGORY, ids };
    const { existingIds } = await register.recordDirectory.resolveRecords(asked);
    expect(existingIds).toEqual(ids.slice(0, 1));
    const nothing = { ...asked, kind: OrganisationKind.UNSPECIFIED };
    expect(await codeOf(register.recordDirectory.resolveRecords(nothing))).toBe("VALIDATION_FAILED");
  });

  test("each creation writes one audit entry with its actor and request", async () => {
    const workspace = await seedWorkspace(register);
    const { principal } = workspace.admin;
    const by = { ...workspace.admin, requestId: "req-1", idempotencyKey: "floor-1" };
    const propertyId = await makeRecord(register, workspace, {
      kind: OrganisationKind.PROPERTY,
      name: "Site",
    });
    const building = { name: "B", code: "1", propertyId };
    const buildingId = await makeRecord(register, workspace, {
      kind: OrganisationKind.BUILDING,
      ...building,
    });
    const floor = { kind: OrganisationKind.FLOOR, name: "Cellar", level: -1, buildingId } as const;
    const made = await register.organisation.createRecord({ record: floor }, by);
    await register.organisation.createRecord({ record: floor }, by);
    const last = await makeRecord(register, workspace, { kind: OrganisationKind.CATEGORY, name: "Tools" });
    // Each entry has its own partition, so the last one may arrive before the others.
    const acts = await eventually(() => {
      const found = register.auditEntries(workspace.id).sort((a, b) => a.action.localeCompare(b.action));
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

  test("a record is NOT_FOUND under another kind and from another workspace", async () => {
    const id = await make({ kind: OrganisationKind.PROPERTY, name: "Site" });
    const stranger = await seedWorkspace(register);
    const get = (kind: OrganisationKind, caller: Workspace) =>
      register.organisation.getRecord({ kind, id }, caller.admin);
    expect(await codeOf(get(OrganisationKind.BUILDING, home))).toBe("NOT_FOUND");
    expect(await codeOf(get(OrganisationKind.PROPERTY, stranger))).toBe("NOT_FOUND");
    expect(await codeOf(get(OrganisationKind.UNSPECIFIED, home))).toBe("VALIDATION_FAILED");
  });
});
