import { eventually } from "@asset-register/harness";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import { recordsOf } from "../organisation-support.ts";
import { makeAsset, seedWorkspace, startRegister } from "../support.ts";

const register = await startRegister({ placing: { secondPassMs: 100 } });
const home = await seedWorkspace(register);
const records = recordsOf(register, home);
afterAll(() => register.stop());

const asset = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;
const make = (fields: Parameters<typeof makeAsset>[2]) => makeAsset(register, home, fields);

/** Two properties; on the first a building with a floor, a room with a shelf, and a yard. */
async function site() {
  const [property, other] = [await records.property({ name: "Site" }), await records.property()];
  const building = await records.building(property);
  const floor = await records.floor(building);
  const room = await records.location({ floorId: floor });
  const shelf = await records.location({ parentId: room });
  const yard = await records.location({ propertyId: property });
  return { property, other, building, floor, room, shelf, yard };
}
type Code = string | undefined;
const refusal = async (call: Promise<unknown>) => {
  const error = await failure(call);
  return [error?.code, error?.violations[0]?.field] as [Code, Code];
};

describe("a move of a place", () => {
  test("records and assets below a moved building get its new property", async () => {
    const { property, other, building, floor, room, shelf } = await site();
    const ids = [
      await make({ locationId: shelf }),
      await make({ floorId: floor }),
      await make({ buildingId: building }),
    ];
    const apart = await make({ propertyId: property });
    const called = performance.now();
    const { record } = await records.update(building, { propertyId: other });
    expect(record).toMatchObject({ propertyId: other, rev: 2 });
    // A call works for 2 s. On a busy machine the assets are placed later.
    if (performance.now() - called < 2_000) expect(record?.placing).toBeUndefined();
    await records.placed(building);
    for (const id of [floor, room, shelf])
      expect(await records.read(id)).toMatchObject({ propertyId: other, buildingId: building, rev: 2 });
    for (const id of ids)
      expect(await asset(id)).toMatchObject({ propertyId: other, buildingId: building, rev: 2 });
    expect(await asset(apart)).toMatchObject({ propertyId: property, rev: 1 });
    const { assets } = await register.assets.listAssets({ propertyId: other }, home.admin);
    expect(assets.map(({ id }) => id)).toEqual(ids.sort());
  });

  test("a placed asset publishes its new place, has a history row, and no movement", async () => {
    const { other, building, room } = await site();
    const id = await make({ locationId: room });
    await records.update(building, { propertyId: other });
    const { asset: events, organisation } = register.recorded;
    await eventually(() => expect(events.of(id)).toHaveLength(2));
    expect(events.of(id)[1]?.message).toMatchObject({
      state: { id, propertyId: other, rev: 2 },
      change: { case: "updated", value: { fields: ["property_id"] } },
    });
    await eventually(() => expect(organisation.of(room)).toHaveLength(2));
    expect(organisation.of(room)[1]?.message?.state).toMatchObject({ propertyId: other, rev: 2 });
    const rows = register.mongo.collection("asset_history").find({ workspaceId: home.id, assetId: id });
    const { principal } = home.admin;
    expect((await rows.toArray()).slice(1)).toMatchObject([
      {
        action: "updated",
        actor: { kind: "user", id: principal.kind === "user" && principal.id },
        changes: [{ field: "property_id", after: other }],
      },
    ]);
    const { movements } = await register.custody.listMovements({ assetId: id }, home.admin);
    expect(movements).toEqual([]);
  });

  test("a floor takes the building and property of its new building", async () => {
    const { other, floor, room } = await site();
    const buildingId = await records.building(other);
    const id = await make({ locationId: room });
    await records.move(floor, { buildingId });
    expect(await records.read(room)).toMatchObject({ propertyId: other, buildingId, floorId: floor });
    expect(await asset(id)).toMatchObject({ propertyId: other, buildingId, floorId: floor, rev: 2 });
  });

  test("a location follows its new parent, and stays where it is without one", async () => {
    const { property, other, floor, room, shelf, yard } = await site();
    const box = await records.location({ parentId: shelf });
    const id = await make({ locationId: box });
    await records.move(shelf, { parentId: yard });
    for (const one of [await records.read(box), await asset(id)]) {
      expect([one.propertyId, one.buildingId, one.floorId]).toEqual([property, undefined, undefined]);
    }
    await records.move(shelf, { parentId: room });
    expect(await asset(id)).toMatchObject({ floorId: floor, rev: 3 });
    // Its place is the same: nothing changes below.
    await records.update(shelf, { parentId: undefined });
    expect(await records.read(shelf)).toMatchObject({ floorId: floor });
    expect(await asset(id)).toMatchObject({ floorId: floor, rev: 3 });
    await records.move(shelf, { propertyId: other });
    expect((await asset(id)).propertyId).toBe(other);
    expect((await asset(id)).floorId).toBeUndefined();
  });

  test("parents that disagree are refused on their field, also below the moved record", async () => {
    const { other, building, floor, room, shelf, yard } = await site();
    expect(await refusal(records.update(shelf, { propertyId: other }))).toEqual([
      "VALIDATION_FAILED",
      "parent_id",
    ]);
    const both = { floorId: floor, propertyId: other };
    expect(await refusal(records.update(room, both))).toEqual(["VALIDATION_FAILED", "property_id"]);
    // A shelf of its own on the floor, in a yard that stays on the first property.
    const torn = await records.location({ floorId: floor, parentId: yard });
    expect(await refusal(records.update(building, { propertyId: other }))).toEqual([
      "VALIDATION_FAILED",
      "property_id",
    ]);
    expect(await refusal(records.update(yard, { propertyId: other }))).toEqual([
      "VALIDATION_FAILED",
      "property_id",
    ]);
    expect(await records.read(torn)).toMatchObject({ rev: 1 });
  });

  test("with more than 1000 records below it is TREE_TOO_LARGE, with 1000 it is done", async () => {
    const { other, building, floor } = await site();
    const rows = register.mongo.collection("organisation");
    const room = await rows.findOne({ workspaceId: home.id, floorId: floor });
    const copies = (count: number) =>
      rows.insertMany(Array.from({ length: count }, () => ({ ...room!, _id: newId("loc") })));
    // The floor, the room and the shelf are below too.
    await copies(997);
    await records.move(building, { propertyId: other });
    await copies(1);
    const third = await records.property();
    expect(await codeOf(records.update(building, { propertyId: third }))).toBe("TREE_TOO_LARGE");
    const moved = { workspaceId: home.id, floorId: floor, propertyId: other };
    expect(await rows.countDocuments(moved)).toBe(1_000 - 1);
  });

  test("while assets are being placed, no parent changes above or below, and nothing there is deleted", async () => {
    const { other, building, floor, room, yard } = await site();
    const empty = await records.location({ floorId: floor });
    const rows = register.mongo.collection<{ _id: string; workspaceId: string; status: string }>(
      "organisation",
    );
    const set = (status: string) =>
      rows.updateOne(
        { workspaceId: home.id, _id: floor },
        // Another process has the lease.
        { $set: { status, progress: { done: 1, total: 2 }, work: { ...lease } } },
      );
    const lease = { leaseHolder: "other", leaseUntil: new Date(Date.now() + 600_000), token: 1, attempts: 0 };
    await set("placing");
    expect((await records.read(floor)).placing).toMatchObject({ done: 1, total: 2 });
    const buildingId = await records.building(other);
    const refused = [
      records.update(building, { propertyId: other }),
      records.update(floor, { buildingId }),
      records.update(room, { propertyId: other }),
      records.update(yard, { parentId: room }),
      records.remove(empty),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "TREE_MOVING"));
    await records.update(room, { name: "Other name" });
    await set("settling");
    await records.remove(empty);
    await records.update(yard, { parentId: room });
  });
});

test("the tree has all four levels with the number of assets at and below each", async () => {
  const workspace = await seedWorkspace(register);
  const own = recordsOf(register, workspace);
  const property = await own.property({ name: "Site", code: "S" });
  const building = await own.building(property, { name: "B" });
  const cellar = await own.floor(building, { name: "Cellar", level: -1 });
  const ground = await own.floor(building, { name: "Ground", level: 0 });
  const room = await own.location({ floorId: ground, name: "Room 10" });
  await own.location({ floorId: ground, name: "Room 9" });
  const shelf = await own.location({ parentId: room, name: "Shelf" });
  const loose = await own.location({ name: "Loose" });
  for (const place of [
    { locationId: shelf },
    { locationId: room },
    { floorId: cellar },
    { locationId: loose },
  ])
    await makeAsset(register, workspace, place);
  await makeAsset(register, workspace, { propertyId: property });
  const { places } = await register.organisation.getPlaceTree({}, workspace.user("view"));
  expect(places).toMatchObject([
    { id: loose, assetCount: 1, children: [] },
    {
      ...{ id: property, name: "Site", code: "S", assetCount: 4 },
      children: [
        {
          ...{ id: building, assetCount: 3 },
          children: [
            { id: cellar, level: -1, assetCount: 1, children: [] },
            {
              ...{ id: ground, level: 0, assetCount: 2 },
              children: [
                { name: "Room 9", assetCount: 0 },
                { id: room, assetCount: 2, children: [{ id: shelf, assetCount: 1 }] },
              ],
            },
          ],
        },
      ],
    },
  ]);
});
