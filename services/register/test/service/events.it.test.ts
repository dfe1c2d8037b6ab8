import { type OutgoingEvent, republishAll } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import {
  DisposalMethod,
  IssuedToType,
  StatusClass,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import { codeOf, workspaceEvent } from "@asset-register/service-harness";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { republish } from "../../src/republish.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);

type Sighting = OutgoingEvent<typeof topics.sighting.schema>;
type SightingChange = NonNullable<Sighting["message"]>["change"];
let sequence = 0;
function sighting(assetId: string, at: Date, zoneId: string, change?: SightingChange): Sighting {
  sequence += 1;
  return {
    topic: topics.sighting,
    workspaceId: home.id,
    subject: assetId,
    sequence,
    type: "sighting.seen",
    time: at,
    message: {
      sighting: { assetId, readerId: "rdr_1", zoneId, locationId: "loc_1", at: timestampFromDate(at) },
      change: change ?? { case: "seen", value: {} },
    },
  };
}
const read = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;

describe("what the register publishes", () => {
  test("each change of an asset publishes the complete asset in order, without observed fields", async () => {
    const custodianId = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Ada" });
    const finance = { cost: { minorUnits: 5n, currency: "EUR" } };
    const id = await makeAsset(register, home, finance);
    await register.custody.createMovement({ assetId: id, toCustodianId: custodianId }, home.admin);
    const issued = { assetId: id, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
    const { checkout } = await register.custody.createCheckout(issued, home.admin);
    const target = { case: "checkoutId", value: checkout?.id ?? "" } as const;
    await register.custody.returnCheckout({ target }, home.admin);
    const { asset, movement } = register.recorded;
    await eventually(() => expect(asset.of(id)).toHaveLength(4));

    expect(asset.of(id).map((event) => event.sequence)).toEqual([1, 2, 3, 4]);
    const messages = asset.of(id).map(({ message }) => message!);
    expect(messages.map(({ change }) => change)).toMatchObject([
      { case: "created" },
      { case: "updated", value: { fields: ["custodian_id"] } },
      { case: "updated", value: { fields: ["current_checkout"] } },
      { case: "updated", value: { fields: ["current_checkout"] } },
    ]);
    for (const { state, statusClass } of messages) {
      expect(state).toMatchObject({ id, ...finance });
      expect([state?.nbv, state?.lastSeen, state?.currentCheckout]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(statusClass).toBe(StatusClass.DEPLOYABLE);
    }
    expect(messages[1]?.state).toMatchObject({ custodianId, rev: 2 });

    await eventually(() => expect(movement.of(id)).toHaveLength(1));
    const [moved] = movement.of(id);
    expect(moved).toMatchObject({ sequence: 1, type: "asset.moved", workspaceId: home.id });
    expect(moved?.message?.change.value).toMatchObject({
      movement: { assetId: id, toCustodianId: custodianId },
    });
  });

  test("checkout and movement events of an asset are numbered without gaps", async () => {
    const custodianId = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Ada" });
    const id = await makeAsset(register, home);
    const issued = { assetId: id, issuedToType: IssuedToType.CUSTODIAN, issuedToId: custodianId };
    for (let round = 0; round < 2; round += 1) {
      const { checkout } = await register.custody.createCheckout(issued, home.admin);
      const target = { case: "checkoutId", value: checkout?.id ?? "" } as const;
      await register.custody.returnCheckout({ target }, home.admin);
    }
    const { checkout, movement } = register.recorded;
    await eventually(() => expect([checkout.of(id).length, movement.of(id).length]).toEqual([4, 4]));
    expect(movement.of(id).map((event) => event.sequence)).toEqual([1, 2, 3, 4]);
    expect(checkout.of(id).map((event) => [event.sequence, event.type, event.message?.change.case])).toEqual([
      [1, "checkout.created", "created"],
      [2, "checkout.returned", "returned"],
      [3, "checkout.created", "created"],
      [4, "checkout.returned", "returned"],
    ]);
    expect(checkout.of(id)[0]?.message?.state).toMatchObject({ assetId: id, issuedToName: "Ada" });
  });

  test("a change that failed publishes nothing", async () => {
    const id = await makeAsset(register, home);
    const issued = { assetId: id, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
    await register.custody.createCheckout(issued, home.admin);
    expect(await codeOf(register.custody.createCheckout(issued, home.admin))).toBe("ASSET_CHECKED_OUT");
    // It is on the same partition as the earlier events, so they have arrived too.
    await register.custody.returnCheckout({ target: { case: "assetId", value: id } }, home.admin);
    const { asset, checkout } = register.recorded;
    const types = () => checkout.of(id).map(({ type }) => type);
    await eventually(() => expect(types()).toEqual(["checkout.created", "checkout.returned"]));
    await eventually(() => expect(asset.of(id)).toHaveLength(3));
  });

  test("republished assets and organisation records carry their present state and a later epoch", async () => {
    const workspace = await seedWorkspace(register);
    const categoryId = await makeRecord(register, workspace, {
      kind: OrganisationKind.CATEGORY,
      name: "Tools",
    });
    const id = await makeAsset(register, workspace, { categoryId });
    const { asset, organisation } = register.recorded;
    const counts = () => [asset.of(id).length, organisation.of(categoryId).length];
    // An event that still waits when the republication begins is sent with the new epoch.
    await eventually(() => expect(counts()).toEqual([1, 1]));
    for (const topic of [topics.asset, topics.organisation]) {
      await republishAll(register.mongo, republish[topic.name]!, { workspaceId: workspace.id });
    }
    await eventually(() => expect(counts()).toEqual([2, 2]));
    for (const events of [asset.of(id), organisation.of(categoryId)]) {
      expect(events[1]?.sequence).toBe(events[0]?.sequence);
      expect(events[1]?.epoch).toBeGreaterThan(events[0]?.epoch ?? 0);
    }
    expect(asset.of(id)[1]?.message?.state).toEqual(asset.of(id)[0]?.message?.state);
    expect(organisation.of(categoryId)[1]?.message?.state).toEqual(
      organisation.of(categoryId)[0]?.message?.state,
    );
  });
});

test("the state of a disposed or deleted asset says so, whatever changed last", async () => {
  const { mongo, recorded } = register;
  const workspace = await seedWorkspace(register);
  const [disposed, deleted] = [await makeAsset(register, workspace), await makeAsset(register, workspace)];
  const counts = () => [disposed, deleted].map((id) => recorded.asset.of(id).length);
  await eventually(() => expect(counts()).toEqual([1, 1]));
  const at = new Date();
  const disposal = {
    at,
    date: "2026-03-01",
    method: "sold",
    proceeds: 950,
    by: { kind: "user", id: "usr_1" },
  };
  const rows = mongo.collection("assets");
  const row = (_id: string) => ({ workspaceId: workspace.id, _id });
  // No RPC disposes or deletes an asset yet.
  await rows.updateOne(row(disposed), { $set: { disposed: disposal } });
  await rows.updateOne(row(deleted), { $set: { deleted: true, deletedAt: at, disposed: disposal } });
  await republishAll(mongo, republish[topics.asset.name]!, { workspaceId: workspace.id });
  const last = (id: string) => recorded.asset.of(id).at(-1);
  await eventually(() => expect(counts()).toEqual([2, 2]));
  const complete = {
    at: timestampFromDate(at),
    date: "2026-03-01",
    method: DisposalMethod.SOLD,
    proceeds: { minorUnits: 950n, currency: "EUR" },
  };
  expect(last(disposed)?.message).toMatchObject({
    state: { disposed: complete },
    statusKey: "in_stock",
    change: { case: "disposed" },
  });
  expect(last(deleted)?.message).toMatchObject({
    state: { deletedAt: timestampFromDate(at), disposed: complete },
    change: { case: "deleted" },
  });
  const { asset } = await register.assets.getAsset({ id: disposed }, workspace.admin);
  expect(asset?.disposed).toMatchObject(complete);
});

describe("an event of a newer release", () => {
  // An unknown case of a oneof arrives as absent, and an unknown enum value as its number.
  test("a change of a newer release: a workspace is projected, a sighting is skipped, neither is a dead letter", async () => {
    const workspace = newId("wsp");
    const event = workspaceEvent(workspace, 1, { status: 4711 as WorkspaceStatus, numberPrefix: "N-" });
    const id = await makeAsset(register, home);
    const at = new Date();
    await register.publish({ ...event, message: { ...event.message!, change: { case: undefined } } });
    await register.publish(
      sighting(id, at, "zon_new", { case: undefined }),
      sighting(id, new Date(at.getTime() - 1000), "zon_known"),
    );
    await eventually(async () => {
      const projected = register.mongo.collection("workspaces");
      expect(await projected.findOne({ _id: workspace, workspaceId: workspace })).toMatchObject({
        active: true,
        numberPrefix: "N-",
      });
      expect((await read(id)).lastSeen?.zoneId).toBe("zon_known");
    });
    expect(await register.deadLetters.list()).toEqual([]);
  });
});

describe("sightings", () => {
  const t = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds));

  test("sightings in any order move last_seen only forwards, and never raise rev or publish an event", async () => {
    const id = await makeAsset(register, home);
    const last = await makeAsset(register, home);
    await register.publish(sighting(id, t(20), "zon_2"), sighting(id, t(10), "zon_1"));
    await eventually(async () => expect((await read(id)).lastSeen?.zoneId).toBe("zon_2"));
    await register.publish(sighting(id, t(15), "zon_3"));
    await register.publish(sighting(id, t(30), "zon_4"), sighting(last, t(1), "zon_1"));
    await eventually(async () => expect((await read(id)).lastSeen?.zoneId).toBe("zon_4"));
    const seen = await read(id);
    expect(seen.lastSeen).toMatchObject({ readerId: "rdr_1", zoneId: "zon_4", locationId: "loc_1" });
    expect(timestampDate(seen.lastSeen!.at!)).toEqual(t(30));
    expect(seen.rev).toBe(1);
    expect(seen.updatedAt).toEqual(seen.createdAt);
    expect(register.recorded.asset.of(id).length).toBeLessThanOrEqual(1);
  });

  test("sightings that do not locate an asset, and unknown changes, are skipped", async () => {
    const id = await makeAsset(register, home);
    await register.publish(
      sighting(id, t(50), "zon_1", { case: "left", value: { fromZoneId: "zon_1" } }),
      sighting(id, t(51), "zon_1", { case: "unknownTag", value: {} }),
      // A change of a newer release arrives without a case.
      sighting(id, t(52), "zon_1", { case: undefined }),
      sighting(newId("ast"), t(53), "zon_1"),
      sighting(id, t(40), "zon_9", { case: "arrived", value: {} }),
    );
    await eventually(async () => expect((await read(id)).lastSeen?.zoneId).toBe("zon_9"));
  });
});

describe("workspaces", () => {
  test("a workspace event seeds the statuses, and an older event does not undo a newer one", async () => {
    const workspace = await seedWorkspace(register);
    const { id } = workspace;
    const statuses = register.mongo.collection("statuses");
    await eventually(async () => expect(await statuses.countDocuments({ workspaceId: id })).toBe(8));
    await register.publish(workspaceEvent(id, 3, { numberPrefix: "C-" }));
    await eventually(async () => {
      const { asset } = await register.assets.createAsset({ asset: { name: "Saw" } }, workspace.admin);
      expect(asset?.number).toMatch(/^C-/);
    });
    const other = await seedWorkspace(register);
    await register.publish(
      workspaceEvent(id, 2, { numberPrefix: "B-" }),
      workspaceEvent(other.id, 2, { numberPrefix: "X-" }),
    );
    await eventually(async () => {
      const { asset } = await register.assets.createAsset({ asset: { name: "Saw" } }, other.admin);
      expect(asset?.number).toMatch(/^X-/);
    });
    const { asset } = await register.assets.createAsset({ asset: { name: "Saw" } }, workspace.admin);
    expect(asset?.number).toMatch(/^C-/);
  });

  test("a disabled workspace accepts no more assets", async () => {
    const workspace = await seedWorkspace(register);
    await register.publish(workspaceEvent(workspace.id, 2, { status: WorkspaceStatus.DISABLED }));
    await eventually(async () => {
      expect(await codeOf(register.assets.createAsset({ asset: { name: "Saw" } }, workspace.admin))).toBe(
        "FORBIDDEN",
      );
    });
  });

  test("concurrent first reads of the statuses seed each status once", async () => {
    const workspace = await seedWorkspace(register);
    const asked = await Promise.all(
      Array.from({ length: 5 }, () => register.assets.listStatuses({}, workspace.admin)),
    );
    for (const { statuses } of asked) {
      expect(statuses.map(({ name }) => name)).toEqual([
        "Ordered",
        "In stock",
        "In use",
        "Under maintenance",
        "Damaged",
        "Lost",
        "Retired",
        "Disposed",
      ]);
      expect(statuses.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(["In stock"]);
    }
  });
});
