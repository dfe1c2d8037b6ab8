import { eventually } from "@asset-register/harness";
import {
  DisposalMethod,
  HistoryAction,
  IssuedToType,
  UpdateAssetStatus,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId, snakeCase } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { historyOf, patchAsset, readAsset, statusIds } from "../asset-support.ts";
import { customFieldCalls } from "../custom-fields/custom-field-support.ts";
import { holdAsset, makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const { CHANGED, UNCHANGED, REJECTED } = UpdateAssetStatus;
const register = await sharedRegister();
const home = await seedWorkspace(register);
const statuses = await statusIds(register, home);
const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
const { PROPERTY, BUILDING, FLOOR, LOCATION, CUSTODIAN, CATEGORY, DEPARTMENT } = OrganisationKind;
const propertyId = await make({ kind: PROPERTY, name: "Site" });
const buildingId = await make({ kind: BUILDING, name: "B", propertyId });
const floorId = await make({ kind: FLOOR, name: "Ground", level: 0, buildingId });
const room = await make({ kind: LOCATION, name: "Room", floorId });
const yard = await make({ kind: LOCATION, name: "Yard", propertyId });
const ada = await make({ kind: CUSTODIAN, name: "Ada" });
const grace = await make({ kind: CUSTODIAN, name: "Grace" });
const tools = await make({ kind: CATEGORY, name: "Tools" });
const strict = await make({ kind: CATEGORY, name: "Needs a serial" });
const works = await make({ kind: DEPARTMENT, name: "Works" });
await customFieldCalls(register, home).define("serial", { required: true, categoryIds: [strict] });

type Fields = Parameters<typeof patchAsset>[3];

/** Sets the given fields of all these assets. Those that are undefined are cleared. */
const update = (
  assetIds: string[],
  fields: Fields,
  as: Partial<typeof home.admin> & { idempotencyKey?: string } = {},
) =>
  register.assets.updateAssets(
    { assetIds, asset: fields, updateMask: { paths: Object.keys(fields).map(snakeCase) } },
    { ...home.admin, ...as },
  );
const resultsOf = async (assetIds: string[], fields: Fields) =>
  (await update(assetIds, fields)).results.map(({ status, error }) =>
    status === REJECTED ? error?.code : UpdateAssetStatus[status],
  );

const checkOut = (assetId: string) =>
  register.custody.createCheckout(
    { assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" },
    home.admin,
  );
const dispose = (id: string) => register.assets.disposeAsset({ id, method: DisposalMethod.LOST }, home.admin);

/** Everything that a change stores, without the fields that differ in each asset. */
async function tracesOf(id: string) {
  const { id: _, number, createdAt, updatedAt, ...asset } = await readAsset(register, home, id);
  const history = await historyOf(register, home, id);
  const { movements } = await register.custody.listMovements({ assetId: id }, home.admin);
  const events = await eventually(() => {
    const found = register.recorded.asset.of(id);
    expect(found).toHaveLength(asset.rev);
    const moved = register.recorded.movement.of(id);
    expect(moved).toHaveLength(movements.length);
    return [...found.slice(-1), ...moved.slice(-1)];
  });
  return {
    asset,
    history: history.map(({ action, changes, actor, note }) => ({ action, changes, actor, note })),
    movements: movements.map(({ id: _, assetId, at, ...movement }) => movement),
    events: events.map(({ type, message }) => ({
      type,
      fields: message?.change.case === "updated" ? message.change.value.fields : undefined,
    })),
  };
}

describe("each asset gets what the single routes give it", () => {
  const place = { locationId: room, custodianId: ada };
  test.each<[string, Fields, Fields]>([
    ["a location", {}, { locationId: room }],
    ["a location and a custodian instead of others", place, { locationId: yard, custodianId: grace }],
    ["no location: the levels above stay", place, { locationId: undefined }],
    [
      "no custodian and no department",
      { ...place, departmentId: works },
      { custodianId: undefined, departmentId: undefined },
    ],
    ["a category and a department", {}, { categoryId: tools, departmentId: works }],
    ["no category", { categoryId: tools }, { categoryId: undefined }],
    [
      "everything that PATCH sets",
      place,
      { locationId: yard, custodianId: grace, categoryId: tools, departmentId: works },
    ],
  ])("%s: asset, history, movement and events are those of PATCH", async (_name, before, fields) => {
    const [one, other] = [await makeAsset(register, home, before), await makeAsset(register, home, before)];
    await patchAsset(register, home.admin, one, fields);
    const { results } = await update([other], fields);
    expect(results).toMatchObject([{ status: CHANGED, rev: 2 }]);
    expect(await tracesOf(other)).toEqual(await tracesOf(one));
  });

  test("a status: asset, history and event are those of the status operation", async () => {
    const [one, other] = [await makeAsset(register, home), await makeAsset(register, home)];
    const statusId = statuses.damaged!;
    await register.assets.changeStatus({ id: one, statusId }, home.admin);
    expect(await resultsOf([other], { statusId })).toEqual(["CHANGED"]);
    expect(await tracesOf(other)).toEqual(await tracesOf(one));
  });

  test("place and status at once are one rev and one event, with a row of the history for each", async () => {
    const id = await makeAsset(register, home);
    const { results } = await update([id], { locationId: room, categoryId: tools, statusId: statuses.lost! });
    expect(results).toMatchObject([{ status: CHANGED, rev: 2 }]);
    const { asset, history, movements, events } = await tracesOf(id);
    expect(asset).toMatchObject({ statusId: statuses.lost, locationId: room, floorId, categoryId: tools });
    const { CREATED, UPDATED, STATUS, MOVED } = HistoryAction;
    expect(history.map(({ action }) => action)).toEqual([CREATED, UPDATED, STATUS, MOVED]);
    expect(movements).toMatchObject([{ reason: "edit", toLocationId: room }]);
    expect(events).toEqual([
      { type: "asset.updated", fields: ["category_id", "status_id", "location_id"] },
      { type: "asset.moved", fields: undefined },
    ]);
  });

  // Each state of an asset with each change. The code of the single routes is that of the result.
  const states: Record<string, () => Promise<string>> = {
    plain: () => makeAsset(register, home),
    placed: () => makeAsset(register, home, { ...place, categoryId: tools }),
    async "checked out"() {
      const id = await makeAsset(register, home, { custodianId: ada });
      await checkOut(id);
      return id;
    },
    async disposed() {
      const id = await makeAsset(register, home, place);
      await dispose(id);
      return id;
    },
    async deleted() {
      const id = await makeAsset(register, home);
      await register.assets.deleteAsset({ id }, home.admin);
      return id;
    },
  };
  const changes: Record<string, Fields> = {
    "another location": { locationId: yard },
    "no location": { locationId: undefined },
    "another custodian": { custodianId: grace },
    "no custodian": { custodianId: undefined },
    "the same place": place,
    "a department": { departmentId: works },
    "a category that requires a custom field": { categoryId: strict },
    "the status lost": { statusId: statuses.lost! },
    "the status retired": { statusId: statuses.retired! },
    "the status disposed": { statusId: statuses.disposed! },
  };
  test.each(Object.keys(states))(
    "the codes for an asset that is %s are those of the single routes",
    async (state) => {
      for (const [name, fields] of Object.entries(changes)) {
        const [one, other] = [await states[state]!(), await states[state]!()];
        const { statusId } = fields;
        const single = await codeOf(
          statusId
            ? register.assets.changeStatus({ id: one, statusId }, home.admin)
            : patchAsset(register, home.admin, one, fields),
        );
        const [{ status, error } = {}] = (await update([other], fields)).results;
        expect({ name, code: error?.code }).toEqual({ name, code: single });
        expect(status === REJECTED).toBe(single !== undefined);
      }
    },
  );
});

test("each asset is changed, unchanged or rejected alone, in the order of the ids", async () => {
  const stranger = await seedWorkspace(register);
  const foreign = await makeAsset(register, stranger);
  const fresh = await makeAsset(register, home);
  const there = await makeAsset(register, home, { locationId: room });
  const disposed = await makeAsset(register, home);
  await dispose(disposed);
  const ids = [there, foreign, fresh, newId("ast"), disposed];
  const { results } = await update(ids, { locationId: room });
  expect(results).toMatchObject([
    { status: UNCHANGED, rev: 1 },
    { status: REJECTED, error: { code: "NOT_FOUND" } },
    { status: CHANGED, rev: 2 },
    { status: REJECTED, error: { code: "NOT_FOUND" } },
    { status: REJECTED, error: { code: "ASSET_DISPOSED" } },
  ]);
  expect(results[1]?.error).toEqual(results[3]?.error);
  expect((await readAsset(register, home, there)).rev).toBe(1);
  expect((await readAsset(register, stranger, foreign)).rev).toBe(1);
});

test.each<[string, Fields]>([
  ["location_id", { locationId: "loc_none" }],
  ["custodian_id", { custodianId: room }],
  ["category_id", { categoryId: "cat_none" }],
  ["status_id", { statusId: "sta_none" }],
])("an unknown %s refuses the whole request, and nothing changes", async (field, fields) => {
  const id = await makeAsset(register, home);
  await expect(update([id], { departmentId: works, ...fields })).rejects.toMatchObject({
    code: "NOT_FOUND",
    violations: [{ field }],
  });
  expect((await readAsset(register, home, id)).rev).toBe(1);
});

test("a record of another workspace is as unknown as one that does not exist", async () => {
  const stranger = await seedWorkspace(register);
  const theirs = await makeRecord(register, stranger, { kind: CATEGORY, name: "Theirs" });
  const id = await makeAsset(register, home);
  expect(await codeOf(update([id], { categoryId: theirs }))).toBe("NOT_FOUND");
});

test.each<[string, string[], Fields, string]>([
  ["no id", [], { locationId: room }, "asset_ids"],
  ["an id twice", ["ast_1", "ast_1"], { locationId: room }, "asset_ids"],
  [
    "1,001 ids",
    Array.from({ length: 1_001 }, (_, index) => `ast_${index}`),
    { locationId: room },
    "asset_ids",
  ],
  ["no field", ["ast_1"], {}, "update_mask"],
  ["no status", ["ast_1"], { statusId: "" }, "status_id"],
  ["a field of another kind", ["ast_1"], { name: "Saw" }, "name"],
])("%s is refused", async (_name, assetIds, fields, field) => {
  await expect(update(assetIds, fields)).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field }],
  });
});

test("the capability edit is required", async () => {
  const id = await makeAsset(register, home);
  expect(await codeOf(update([id], { locationId: room }, home.user("create", "view")))).toBe("FORBIDDEN");
  expect(await codeOf(update([id], { locationId: room }, home.user("edit")))).toBeUndefined();
});

test("a repeat with the same Idempotency-Key answers the first results and changes nothing, also after another change", async () => {
  const id = await makeAsset(register, home);
  const keyed = { idempotencyKey: `POST /assets/bulk/update ${id}` };
  const first = await update([id], { locationId: room }, keyed);
  await update([id], { locationId: yard });
  expect(await update([id], { locationId: room }, keyed)).toEqual(first);
  expect(await readAsset(register, home, id)).toMatchObject({ rev: 3, locationId: yard });
  expect(await codeOf(update([id], { locationId: yard }, keyed))).toBe("IDEMPOTENCY_KEY_REUSED");
});

test("two calls at once for the same assets, one with a key that is sent twice: each has one effect on each asset", async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => makeAsset(register, home)));
  const keyed = { idempotencyKey: `POST /assets/bulk/update twice ${ids[0]}` };
  const [one, other] = await Promise.all([
    update(ids, { locationId: room }, keyed),
    update(ids.toReversed(), { custodianId: ada, statusId: statuses.in_use! }),
  ]);
  for (const { results } of [one, other])
    expect(results.every(({ status }) => status === CHANGED)).toBe(true);
  expect(await update(ids, { locationId: room }, keyed)).toEqual(one);
  for (const id of ids) {
    const asset = await readAsset(register, home, id);
    expect(asset).toMatchObject({ rev: 3, locationId: room, custodianId: ada, statusId: statuses.in_use });
  }
  const { movements } = await register.custody.listMovements({ assetId: ids[0]! }, home.admin);
  expect(movements).toHaveLength(2);
  await eventually(() => {
    const sequences = ids.map((id) => register.recorded.asset.of(id).map(({ sequence }) => sequence));
    expect(sequences).toEqual(ids.map(() => [1, 2, 3]));
  });
});

test("a check-out at the same time: the custodian changes before it or not at all", async () => {
  const id = await makeAsset(register, home, { custodianId: ada });
  const held = await holdAsset(register, home.id, id);
  const waiting = Promise.all([codeOf(checkOut(id)), resultsOf([id], { custodianId: grace })]);
  await held.go();
  const [issued, [result]] = await waiting;
  expect(issued).toBeUndefined();
  // The order of the two decides.
  expect(["CHANGED", "ASSET_CHECKED_OUT"]).toContain(result);
  const { custodianId } = await readAsset(register, home, id);
  expect(custodianId).toBe(result === "CHANGED" ? grace : ada);
});

test("1,000 assets move in one call, each with its movement", async () => {
  const workspace = await seedWorkspace(register);
  const location = await makeRecord(register, workspace, { kind: LOCATION, name: "Store" });
  const slowly = { ...workspace.admin, deadlineMs: 25_000 };
  const assets = Array.from({ length: 1_000 }, () => ({ name: "Drill" }));
  const created = await register.assets.createAssets({ assets }, slowly);
  const assetIds = created.results.flatMap(({ id }) => id ?? []);
  const { results } = await register.assets.updateAssets(
    { assetIds, asset: { locationId: location }, updateMask: { paths: ["location_id"] } },
    slowly,
  );
  expect(results.filter(({ status }) => status === CHANGED)).toHaveLength(1_000);
  const { page } = await register.custody.listMovements({}, workspace.admin);
  expect(page?.total).toBe(1_000);
});
