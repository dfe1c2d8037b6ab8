import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { seededStatuses } from "../../src/domain/assets/status.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);

const euros = (minorUnits: bigint) => ({ minorUnits, currency: "EUR" });

describe("creating an asset", () => {
  test("a new asset gets the next number, the default status, and its cost as net book value", async () => {
    const workspace = await seedWorkspace(register, { numberPrefix: "IT-" });
    const { statuses } = await register.assets.listStatuses({}, workspace.admin);
    const { asset, strippedFields } = await register.assets.createAsset(
      {
        asset: { name: "  Drill ", serialNumber: "S1", cost: euros(12_50n), inServiceDate: "2026-01-31" },
      },
      workspace.admin,
    );
    expect(asset).toMatchObject({
      name: "Drill",
      number: "IT-000001",
      statusId: statuses.find((status) => status.isDefault)?.id,
      nbv: euros(12_50n),
      rev: 1,
      cost: euros(12_50n),
      inServiceDate: "2026-01-31",
    });
    expect(strippedFields).toEqual([]);
    const read = await register.assets.getAsset({ id: asset!.id }, workspace.admin);
    expect(read.asset).toEqual(asset);
  });

  test("finance fields of a caller who may not write them are stripped and named", async () => {
    const finance = { cost: euros(100n), supplier: "Acme" };
    for (const caller of [home.user("create"), home.key("assets:write")]) {
      const made = await register.assets.createAsset({ asset: { name: "Saw", ...finance } }, caller);
      expect(made.strippedFields).toEqual(["cost", "supplier"]);
      expect(made.asset?.cost).toBeUndefined();
      expect(made.asset?.nbv).toBeUndefined();
    }
    for (const caller of [home.user("create", "finance"), home.key("assets:write", "finance")]) {
      const made = await register.assets.createAsset({ asset: { name: "Saw", ...finance } }, caller);
      expect(made.asset).toMatchObject({ cost: euros(100n), supplier: "Acme" });
    }
  });

  test("invalid fields: each is named as HTTP callers know it", async () => {
    const finance = { cost: euros(-1n), usefulLifeMonths: 1201, inServiceDate: "2026-02-30" };
    const error = await failure(
      register.assets.createAsset({ asset: { name: " ", ...finance } }, home.admin),
    );
    expect(error?.code).toBe("VALIDATION_FAILED");
    expect(error?.violations.map(({ field }) => field).sort()).toEqual([
      "cost",
      "in_service_date",
      "name",
      "useful_life_months",
    ]);
    const dollars = { cost: { minorUnits: 1n, currency: "USD" } };
    const other = await failure(
      register.assets.createAsset({ asset: { name: "Saw", ...dollars } }, home.admin),
    );
    expect(other?.violations).toEqual([{ field: "cost", message: "must be in EUR" }]);
  });

  test("the location decides floor, building and property; an ancestor that differs is refused", async () => {
    const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
    const propertyId = await make({ kind: OrganisationKind.PROPERTY, name: "Site" });
    const otherId = await make({ kind: OrganisationKind.PROPERTY, name: "Other" });
    const buildingId = await make({ kind: OrganisationKind.BUILDING, name: "B", propertyId });
    const floorId = await make({ kind: OrganisationKind.FLOOR, name: "Ground", level: 0, buildingId });
    const locationId = await make({ kind: OrganisationKind.LOCATION, name: "Room", floorId });
    const { asset } = await register.assets.createAsset({ asset: { name: "Desk", locationId } }, home.admin);
    expect(asset).toMatchObject({ locationId, floorId, buildingId, propertyId });
    const disagreeing = { name: "Desk", locationId, propertyId: otherId };
    const error = await failure(register.assets.createAsset({ asset: disagreeing }, home.admin));
    expect(error).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "property_id" }] });
  });

  test("references that are missing, of another workspace or of another kind are NOT_FOUND by field", async () => {
    const stranger = await seedWorkspace(register);
    const foreign = await makeRecord(register, stranger, { kind: OrganisationKind.CATEGORY, name: "Tools" });
    const custodian = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Ada" });
    const request = { name: "Saw", categoryId: foreign, locationId: custodian, departmentId: newId("dep") };
    const error = await failure(register.assets.createAsset({ asset: request }, home.admin));
    expect(error).toMatchObject({ kind: "not_found", code: "NOT_FOUND" });
    expect(error?.violations.map(({ field }) => field)).toEqual([
      "category_id",
      "department_id",
      "location_id",
    ]);
  });

  test("a number is unique without case, and the counter skips numbers that callers have given", async () => {
    const workspace = await seedWorkspace(register);
    const create = (number = "") =>
      register.assets.createAsset({ asset: { name: "Saw", number } }, workspace.admin);
    await create("ast-000001");
    await create("AST-000002");
    await create("AST-000004");
    const error = await failure(create("AST-000001"));
    expect(error).toMatchObject({ code: "ASSET_NUMBER_TAKEN", violations: [{ field: "number" }] });
    const numbers = [];
    for (let count = 0; count < 3; count += 1) numbers.push((await create()).asset?.number);
    expect(numbers).toEqual(["AST-000003", "AST-000005", "AST-000006"]);
  });

  test("concurrent creations: each asset gets a number of its own", async () => {
    const workspace = await seedWorkspace(register);
    const made = await Promise.all(
      Array.from({ length: 12 }, () =>
        register.assets.createAsset({ asset: { name: "Chair" } }, workspace.admin),
      ),
    );
    expect(new Set(made.map(({ asset }) => asset?.number)).size).toBe(12);
  });

  test("two concurrent requests with one Idempotency-Key create one asset, and both get it", async () => {
    const workspace = await seedWorkspace(register);
    const options = { ...workspace.key("assets:write"), idempotencyKey: "once" };
    const create = () => register.assets.createAsset({ asset: { name: "Lamp" } }, options);
    const answers = await Promise.allSettled([create(), create()]);
    const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.asset?.id] : []));
    // The second request may be refused while the first one runs. A retry gets the answer.
    made.push((await create()).asset?.id);
    expect(new Set(made).size).toBe(1);
    const { page } = await register.assets.listAssets({}, workspace.admin);
    expect(page?.total).toBe(1);
  });

  test("creation in a workspace that is not projected yet is UNAVAILABLE, in a disabled one FORBIDDEN", async () => {
    const unknown = { ...home.admin.principal, workspaceId: newId("wsp") };
    const early = await failure(
      register.assets.createAsset({ asset: { name: "Saw" } }, { principal: unknown }),
    );
    expect(early).toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    const disabled = await seedWorkspace(register, { status: 2 });
    expect(await codeOf(register.assets.createAsset({ asset: { name: "Saw" } }, disabled.admin))).toBe(
      "FORBIDDEN",
    );
  });
});

describe("reading assets", () => {
  test("an asset of another workspace is NOT_FOUND in every RPC", async () => {
    const id = await makeAsset(register, home);
    const stranger = await seedWorkspace(register);
    const ada = await makeRecord(register, stranger, { kind: OrganisationKind.CUSTODIAN, name: "Ada" });
    const { assets, custody, directory } = register;
    const attempts = [
      assets.getAsset({ id }, stranger.admin),
      custody.createMovement({ assetId: id, toCustodianId: ada }, stranger.admin),
      custody.createCheckout({ assetId: id, issuedToType: 4, issuedToName: "X" }, stranger.admin),
      custody.returnCheckout({ target: { case: "assetId", value: id } }, stranger.admin),
      directory.resolveAsset({ workspaceId: stranger.id, assetId: id }),
    ];
    expect(new Set(await Promise.all(attempts.map(codeOf)))).toEqual(new Set(["NOT_FOUND"]));
    expect((await assets.listAssets({}, stranger.admin)).assets).toEqual([]);
  });

  test("lists: filters and search have exact totals and stable pages", async () => {
    const workspace = await seedWorkspace(register);
    const categoryId = await makeRecord(register, workspace, {
      kind: OrganisationKind.CATEGORY,
      name: "Tools",
    });
    const drills = [];
    for (let count = 0; count < 5; count += 1) {
      drills.push(
        await makeAsset(register, workspace, { name: `Drill ${count}`, manufacturer: "Bösch", categoryId }),
      );
    }
    await makeAsset(register, workspace, { name: "Ladder", serialNumber: "DR-77" });
    const list = async (request: Parameters<typeof register.assets.listAssets>[0]) => {
      const { assets, page } = await register.assets.listAssets(request, workspace.admin);
      return { ids: assets.map(({ id }) => id), total: page?.total, cursor: page?.nextCursor ?? "" };
    };
    expect((await list({})).total).toBe(6);
    expect(await list({ categoryId })).toEqual({ ids: drills, total: 5, cursor: "" });
    expect((await list({ q: "dr" })).total).toBe(6);
    expect((await list({ q: "BÖSCH dri" })).ids).toEqual(drills);
    expect((await list({ q: "AST-000006" })).total).toBe(1);
    expect((await list({ q: "dr-77 lad" })).total).toBe(1);
    expect((await list({ q: "ill" })).total).toBe(0);
    expect((await list({ custodianId: newId("cus") })).ids).toEqual([]);
    const first = await list({ categoryId, page: { limit: 2 } });
    expect(first.ids).toEqual(drills.slice(0, 2));
    await makeAsset(register, workspace, { categoryId });
    const second = await list({ categoryId, page: { limit: 2, cursor: first.cursor } });
    expect(second.ids).toEqual(drills.slice(2, 4));
    expect((await list({ categoryId, page: { limit: 2, page: 2 } })).ids).toEqual(drills.slice(2, 4));
  });

  test("other services resolve an asset, and locations with their properties, by RPC", async () => {
    const assetId = await makeAsset(register, home);
    const { directory } = register;
    const resolved = await directory.resolveAsset({ workspaceId: home.id, assetId });
    expect(resolved).toMatchObject({ asset: { id: assetId }, statusClass: 2 });
    const propertyId = await makeRecord(register, home, { kind: OrganisationKind.PROPERTY, name: "Site" });
    const locationId = await makeRecord(register, home, {
      kind: OrganisationKind.LOCATION,
      name: "Yard",
      propertyId,
    });
    const bare = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Van" });
    const locationIds = [locationId, bare, propertyId, newId("loc")];
    const found = await directory.resolveLocations({ workspaceId: home.id, locationIds });
    expect(found.existingIds.toSorted()).toEqual([locationId, bare].toSorted());
    expect(found.propertyIds).toEqual({ [locationId]: propertyId });
  });

  test("other services resolve statuses by RPC, in a new workspace too; those of another workspace do not exist", async () => {
    const directory = register.client(AssetDirectoryService, "notification");
    const [mine, other] = [await seedWorkspace(register), await seedWorkspace(register)];
    const { statuses } = await register.assets.listStatuses({}, other.user());
    const statusIds = [statuses[0]?.id ?? "", newId("sta")];
    expect(await directory.resolveStatuses({ workspaceId: mine.id, statusIds })).toMatchObject({
      existingIds: [],
      names: {},
    });
    expect(await directory.resolveStatuses({ workspaceId: other.id, statusIds })).toMatchObject({
      existingIds: [statuses[0]?.id],
      names: { [statuses[0]?.id ?? ""]: statuses[0]?.name },
    });
  });
});

test("statuses are a list in their order of use, page by page, also the first one of a workspace", async () => {
  const workspace = await seedWorkspace(register);
  const keys: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await register.assets.listStatuses({ page: { limit: 3, cursor } }, workspace.admin);
    expect(answer.page?.total).toBe(8);
    keys.push(...answer.statuses.map(({ key }) => key));
    cursor = answer.page?.nextCursor;
  } while (cursor);
  expect(keys).toEqual(seededStatuses.map(({ key }) => key));
  const second = await register.assets.listStatuses({ page: { limit: 5, page: 2 } }, workspace.admin);
  expect(second.statuses.map(({ key }) => key)).toEqual(keys.slice(5));
});

test("every signed-in caller may list the statuses", async () => {
  const workspace = await seedWorkspace(register);
  const { statuses } = await register.assets.listStatuses({}, workspace.user());
  expect(statuses).toEqual((await register.assets.listStatuses({}, workspace.admin)).statuses);
  expect(statuses.filter((status) => status.isDefault)).toHaveLength(1);
});
