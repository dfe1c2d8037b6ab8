import { eventually } from "@asset-register/harness";
import { codeOf } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { recordsOf } from "../organisation-support.ts";
import { makeAsset, seedWorkspace, startRegister } from "../support.ts";

/** The tests begin the second pass. */
const register = await startRegister({ placing: { secondPassMs: 3_600_000 } });
const home = await seedWorkspace(register);
const records = recordsOf(register, home);
afterAll(() => register.stop());

const asset = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;
const beginSecondPass = (id: string) =>
  register.mongo
    .collection<{ _id: string; workspaceId: string; status: string }>("organisation")
    .updateOne(
      { _id: id, workspaceId: home.id, status: "settling" },
      { $set: { "work.leaseUntil": new Date(0) } },
    );

test("two re-parentings at once that make a cycle together: one succeeds, the other is refused", async () => {
  for (const kind of ["category", "department", "location"] as const) {
    const [one, other] = [await records[kind](), await records[kind]()];
    const below = await records[kind]({ parentId: other });
    const codes = await Promise.all(
      [records.update(one, { parentId: below }), records.update(other, { parentId: one })].map(codeOf),
    );
    expect(codes.sort()).toEqual(["VALIDATION_FAILED", undefined]);
    const parents = [(await records.read(one)).parentId, (await records.read(other)).parentId];
    expect(parents.filter((parent) => parent !== undefined)).toHaveLength(1);
  }
});

test("two changes of one revision at once: one succeeds, the other gets PRECONDITION_FAILED", async () => {
  const id = await records.category();
  const codes = await Promise.all(["A", "B"].map((name) => codeOf(records.update(id, { name }, [1]))));
  expect(codes.sort()).toEqual(["PRECONDITION_FAILED", undefined]);
  expect(await records.read(id)).toMatchObject({ rev: 2 });
});

test("a move and creations below at once: each new record and asset has the new place in the end", async () => {
  const [from, to] = [await records.property(), await records.property()];
  const building = await records.building(from);
  const floor = await records.floor(building);
  const room = await records.location({ floorId: floor });
  const [, ...made] = await Promise.all([
    records.move(building, { propertyId: to }),
    records.floor(building),
    ...Array.from({ length: 4 }, () => records.location({ floorId: floor })),
    records.location({ parentId: room }),
  ]);
  for (const id of made) expect(await records.read(id)).toMatchObject({ propertyId: to });

  const [, ...assets] = await Promise.all([
    records.move(building, { propertyId: from }),
    ...Array.from({ length: 6 }, () => makeAsset(register, home, { locationId: room })),
    ...Array.from({ length: 4 }, () => makeAsset(register, home, { buildingId: building })),
  ]);
  await beginSecondPass(building);
  await eventually(async () => {
    for (const id of assets) expect(await asset(id)).toMatchObject({ propertyId: from });
  });
  // After the move, a creation has the new place at once.
  const late = await makeAsset(register, home, { floorId: floor });
  expect(await asset(late)).toMatchObject({ propertyId: from, rev: 1 });
});

test("what a write that began before the move has left behind gets its place in the second pass, silently", async () => {
  const [from, to] = [await records.property(), await records.property()];
  const building = await records.building(from);
  const room = await records.location({ floorId: await records.floor(building) });
  const id = await makeAsset(register, home);
  const { mongo } = register;
  type Row = { _id: string; workspaceId: string };
  const own = { workspaceId: home.id };
  await mongo.transaction({}, async (session) => {
    // From here on the transaction sees the organisation as it is before the move.
    const read = { ...own, _id: room };
    const place = await mongo.collection<Row>("organisation").findOne(read, {
      session,
      projection: { _id: 0, propertyId: 1, buildingId: 1, floorId: 1 },
    });
    await records.move(building, { propertyId: to });
    const written = { $set: { ...place, locationId: room } };
    await mongo.collection<Row>("assets").updateOne({ ...own, _id: id }, written, { session });
  });
  expect(await asset(id)).toMatchObject({ propertyId: from, rev: 1 });
  await beginSecondPass(building);
  await eventually(async () => {
    expect((await records.read(building)).placing).toBeUndefined();
    expect(await asset(id)).toMatchObject({ propertyId: to, buildingId: building, rev: 2 });
  });
});
