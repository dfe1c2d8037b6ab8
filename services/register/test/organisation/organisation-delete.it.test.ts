import { isDeepStrictEqual } from "node:util";
import { eventually } from "@asset-register/harness";
import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { kindOf, recordsOf } from "../organisation-support.ts";
import { makeAsset, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const records = recordsOf(register, home);

const inUse = async (id: string) => {
  const error = await failure(records.remove(id));
  expect(error?.code).toBe("RECORD_IN_USE");
  return Object.fromEntries(error!.violations.map(({ field, message }) => [field, message]));
};

test("a deleted record is gone, publishes its state, and is in the audit log", async () => {
  const workspace = await seedWorkspace(register);
  const own = recordsOf(register, workspace);
  const id = await own.property({ name: "Site" });
  await own.remove(id, [1]);
  expect(await codeOf(own.read(id))).toBe("NOT_FOUND");
  expect(await codeOf(own.remove(id))).toBe("NOT_FOUND");
  const { organisation } = register.recorded;
  await eventually(() => expect(organisation.of(id).length).toBeGreaterThanOrEqual(2));
  const deleted = organisation.of(id).find(({ message }) => message?.change.case === "deleted");
  expect(deleted).toMatchObject({ sequence: 2, message: { state: { id, name: "Site", rev: 2 } } });
  expect(deleted?.message?.state?.deletedAt).toBeDefined();
  await eventually(() => {
    const actions = register.auditEntries(workspace.id).map(({ action }) => action);
    expect(actions.sort()).toEqual(["property.created", "property.deleted"]);
  });
});

test("a deletion needs the capability delete, a record of the workspace, and the present revision", async () => {
  const id = await records.category();
  const stranger = recordsOf(register, await seedWorkspace(register));
  expect(await codeOf(records.remove(id, [], home.user("manage")))).toBe("FORBIDDEN");
  expect(await codeOf(stranger.remove(id))).toBe("NOT_FOUND");
  await records.update(id, { name: "New" });
  expect(await codeOf(records.remove(id, [1]))).toBe("PRECONDITION_FAILED");
  await records.remove(id, [2], home.user("delete"));
  expect(await codeOf(records.read(id))).toBe("NOT_FOUND");
});

test("what refers to a record is named with its number, and the record stays", async () => {
  const department = await records.department();
  await records.department({ parentId: department });
  const custodian = await records.custodian({ departmentId: department });
  await records.custodian({ departmentId: department });
  const id = await makeAsset(register, home, { departmentId: department });
  const issue = { assetId: id, issuedToType: IssuedToType.DEPARTMENT, issuedToId: department };
  await register.custody.createCheckout(issue, home.admin);
  const all = { records: "1", custodians: "2", assets: "1", checkouts: "1" };
  expect(await inUse(department)).toEqual(all);
  expect((await failure(records.remove(department)))?.message).toBe(
    "The department is in use: 1 records below, 2 custodians, 1 assets, 1 open checkouts.",
  );
  expect(await records.read(department)).toMatchObject({ rev: 1 });
  // A refused deletion leaves no mark: the record can be referred to.
  await records.update(custodian, { departmentId: undefined });
  await records.update(custodian, { departmentId: department });

  const property = await records.property();
  const building = await records.building(property);
  const floor = await records.floor(building);
  const location = await records.location({ floorId: floor });
  for (const parent of [property, building, floor]) expect(await inUse(parent)).toHaveProperty("records");
  await makeAsset(register, home, { locationId: location });
  expect(await inUse(location)).toEqual({ assets: "1" });
});

test("deleted and disposed assets do not count, and numbers above 1000 are capped", async () => {
  const category = await records.category();
  const [id = "", disposed = ""] = [
    await makeAsset(register, home, { categoryId: category }),
    await makeAsset(register, home, { categoryId: category }),
  ];
  const assets = register.mongo.collection("assets");
  const row = { workspaceId: home.id };
  const original = await assets.findOne({ ...row, _id: id });
  await assets.updateOne({ ...row, _id: disposed }, { $set: { live: false, disposed: { at: new Date() } } });
  expect(await inUse(category)).toEqual({ assets: "1" });
  const copies = Array.from({ length: 1_000 }, () => newId("ast"));
  await assets.insertMany(copies.map((_id) => ({ ...original!, _id, numberKeys: [_id] })));
  expect(await inUse(category)).toEqual({ assets: "1000+" });
  await assets.updateMany({ ...row, _id: { $in: [...copies, id] } }, { $set: { deleted: true } });
  await records.remove(category);
});

test("two deletions at once: one succeeds, the other gets NOT_FOUND", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => records.category()));
  for (const id of ids) {
    const codes = await Promise.all([records.remove(id), records.remove(id)].map(codeOf));
    expect(codes.sort()).toEqual(["NOT_FOUND", undefined]);
  }
});

test("a deletion and new references at once: the deletion is refused, or the references are", async () => {
  const refusals: (string | undefined)[] = [];
  for (let round = 0; round < 8; round += 1) {
    const category = await records.category();
    const asset = { name: "Drill", categoryId: category };
    const [deleted, ...made] = await Promise.all([
      codeOf(records.remove(category)),
      ...Array.from({ length: 4 }, () => codeOf(register.assets.createAsset({ asset }, home.admin))),
      codeOf(records.category({ parentId: category })),
    ]);
    refusals.push(...made);
    if (deleted === undefined) continue;
    expect(deleted).toBe("RECORD_IN_USE");
    expect(made).toContain(undefined);
  }
  // Nothing but the mark and the deletion refuses a reference.
  expect(["CONFLICT", "NOT_FOUND", undefined]).toEqual(expect.arrayContaining([...new Set(refusals)]));
});

test("while a deletion counts, a new reference is refused; one that is stored meanwhile is counted", async () => {
  const right = ["CONFLICT", "RECORD_IN_USE"];
  // A deletion counts for 250 ms. On a busy machine the references of a try may come too late.
  for (let found: (string | undefined)[] = []; !isDeepStrictEqual(found, right); ) {
    const category = await records.category();
    const id = await makeAsset(register, home);
    const begun = performance.now();
    const deletion = codeOf(records.remove(category));
    await untilMarked(category, deletion);
    // A write that had begun before the mark: it has not seen it.
    const assets = register.mongo.collection<Referring>("assets");
    const [refused] = await Promise.all([
      codeOf(makeAsset(register, home, { categoryId: category })),
      assets.updateOne({ workspaceId: home.id, _id: id }, { $set: { categoryId: category } }),
    ]);
    const wasInTime = performance.now() - begun < 250;
    found = [refused, await deletion];
    if (wasInTime) expect(found).toEqual(right);
    if (found[1] === "RECORD_IN_USE")
      expect(await codeOf(makeAsset(register, home, { categoryId: category }))).toBeUndefined();
  }
});

type Referring = { _id: string; workspaceId: string; categoryId: string };
type Marked = { _id: string; workspaceId: string; deletingUntil?: Date };

/** Waits until a record is marked by its deletion, or the deletion has ended. */
async function untilMarked(id: string, deletion: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void deletion.then(() => {
    hasEnded = true;
  });
  const organisation = register.mongo.collection<Marked>("organisation");
  const isMarked = async () =>
    (await organisation.findOne({ workspaceId: home.id, _id: id }))?.deletingUntil !== undefined;
  while (!hasEnded && !(await isMarked()));
}

test("other services resolve the records that exist, with their names", async () => {
  const [kept, gone] = [await records.category({ name: "Kept" }), await records.category({ name: "Gone" })];
  const [room, closed] = [await records.location({ name: "Room" }), await records.location()];
  await records.remove(gone);
  await records.remove(closed);
  const workspaceId = home.id;
  const asked = { workspaceId, kind: kindOf(kept), ids: [kept, gone, room] };
  expect(await register.recordDirectory.resolveRecords(asked)).toMatchObject({
    existingIds: [kept],
    names: { [kept]: "Kept" },
  });
  expect(
    await register.directory.resolveLocations({ workspaceId, locationIds: [room, closed, kept] }),
  ).toMatchObject({ existingIds: [room], names: { [room]: "Room" } });
});
