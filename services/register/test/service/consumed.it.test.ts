import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import type { TestEvent } from "@asset-register/service-harness";
import { workspaceEvent } from "@asset-register/service-harness";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const make = (record: Parameters<typeof makeRecord>[2]) => makeRecord(register, home, record);
const property = await make({ kind: OrganisationKind.PROPERTY, name: "Site" });
const yard = await make({ kind: OrganisationKind.LOCATION, name: "Yard" });
const gate = await make({ kind: OrganisationKind.LOCATION, name: "Gate", propertyId: property });

const read = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;
const euro = (cents: number) => ({ minorUnits: BigInt(cents), currency: "EUR" });

describe("depreciation", () => {
  type Depreciation = TestEvent<typeof topics.depreciation.schema>;
  type State = { nbv: number; accumulated: number; gainLoss?: number };
  const posted = (assetId: string, sequence: number, { nbv, accumulated, gainLoss }: State, epoch = 0) =>
    ({
      ...{ topic: topics.depreciation, workspaceId: home.id, subject: assetId, sequence, epoch },
      type: "depreciation.posted",
      message: {
        state: {
          ...{ assetId, nbv: euro(nbv), accumulated: euro(accumulated) },
          gainLoss: gainLoss === undefined ? undefined : euro(gainLoss),
        },
        change: { case: "posted", value: {} },
      },
    }) satisfies Depreciation;
  const figures = async (id: string) => {
    const { nbv, accumulatedDepreciation, gainLoss } = await read(id);
    return [nbv, accumulatedDepreciation, gainLoss].map((money) => money && Number(money.minorUnits));
  };
  /** Waits for an event of the same partition, so that the ones before it are handled. */
  async function handled(id: string, ...events: Depreciation[]): Promise<void> {
    const last = { ...posted(id, 1, { nbv: 0, accumulated: 0 }), id: newId("msg") };
    const row = { _id: id, workspaceId: home.id };
    await register.publish(...events, { ...last, epoch: 99 });
    await eventually(async () => {
      const found = await register.mongo
        .collection<{ _id: string; workspaceId: string; financeEpoch: number }>("assets")
        .findOne(row);
      expect(found?.financeEpoch).toBe(99);
    });
  }

  test("figures of finance are stored without a new rev or an asset event; before them nbv is the cost", async () => {
    const id = await makeAsset(register, home, { cost: euro(1200_00) });
    expect(await figures(id)).toEqual([1200_00, undefined, undefined]);
    await register.publish(posted(id, 1, { nbv: 1100_00, accumulated: 100_00 }));
    await eventually(async () => expect(await figures(id)).toEqual([1100_00, 100_00, undefined]));
    await register.publish(posted(id, 2, { nbv: 0, accumulated: 300_00, gainLoss: -50_00 }));
    await eventually(async () => expect(await figures(id)).toEqual([0, 300_00, -50_00]));
    const asset = await read(id);
    expect(asset.rev).toBe(1);
    expect(asset.updatedAt).toEqual(asset.createdAt);
    await register.custody.createMovement({ assetId: id, toLocationId: yard }, home.admin);
    // Only the creation and the movement were published.
    const sequences = () => register.recorded.asset.of(id).map(({ sequence }) => sequence);
    await eventually(() => expect(sequences()).toEqual([1, 2]));
    expect(await figures(id)).toEqual([0, 300_00, -50_00]);
  });

  test("older and repeated events change nothing, and a later epoch takes precedence", async () => {
    const id = await makeAsset(register, home, { cost: euro(1200_00) });
    const newest = posted(id, 3, { nbv: 900_00, accumulated: 300_00 });
    await register.publish(newest, posted(id, 2, { nbv: 1000_00, accumulated: 200_00 }), newest);
    await eventually(async () => expect(await figures(id)).toEqual([900_00, 300_00, undefined]));
    await register.publish(
      posted(id, 2, { nbv: 800_00, accumulated: 400_00 }, 7),
      posted(id, 9, { nbv: 1, accumulated: 1 }, 6),
    );
    await eventually(async () => expect(await figures(id)).toEqual([800_00, 400_00, undefined]));
    await handled(id, posted(id, 1, { nbv: 2, accumulated: 2 }, 7));
    expect(await figures(id)).toEqual([0, 0, undefined]);
  });

  test("a gain that finance took back disappears; a change of a newer release and a tombstone are no dead letters", async () => {
    const id = await makeAsset(register, home, { cost: euro(1200_00) });
    const event = posted(id, 1, { nbv: 0, accumulated: 5, gainLoss: 7 });
    await register.publish({ ...event, message: { ...event.message, change: { case: undefined } } });
    await eventually(async () => expect(await figures(id)).toEqual([0, 5, 7]));
    await register.publish(
      { ...event, sequence: 2, message: undefined },
      posted(id, 3, { nbv: 3, accumulated: 5 }),
    );
    await eventually(async () => expect(await figures(id)).toEqual([3, 5, undefined]));
    expect(await register.deadLetters.list()).toEqual([]);
  });

  test("figures that arrive during edits are kept, and every edit succeeds", async () => {
    const id = await makeAsset(register, home, { cost: euro(1200_00) });
    const edits = (async () => {
      for (let round = 0; round < 6; round += 1) {
        const request = { assetId: id, toLocationId: round % 2 === 0 ? yard : gate, ifRevIn: [round + 1] };
        await register.custody.createMovement(request, home.admin);
      }
    })();
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      await register.publish(posted(id, sequence, { nbv: 1200_00 - sequence, accumulated: sequence }));
    }
    await edits;
    await eventually(async () => expect(await figures(id)).toEqual([1200_00 - 20, 20, undefined]));
    expect((await read(id)).rev).toBe(7);
  });
});

describe("auto-move", () => {
  type Sighting = TestEvent<typeof topics.sighting.schema>;
  type Change = NonNullable<Sighting["message"]>["change"];
  let sequence = 0;
  const arrived: Change = { case: "arrived", value: { fromZoneId: "zon_1" } };
  const seenAt = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1_000);
  function sighting(assetId: string, at: Date, locationId: string): Sighting {
    sequence += 1;
    return {
      ...{ topic: topics.sighting, workspaceId: home.id, subject: assetId, sequence, id: newId("msg") },
      type: "sighting.arrived",
      message: {
        sighting: {
          ...{ assetId, readerId: "rdr_1", zoneId: "zon_2", eventId: `evt_${sequence}` },
          at: timestampFromDate(at),
          autoMoveLocationId: locationId,
        },
        change: arrived,
      },
    };
  }
  const withChange = (event: Sighting, change: Change): Sighting => ({
    ...event,
    message: { sighting: event.message?.sighting, change },
  });
  const movementsOf = async (assetId: string) =>
    (await register.custody.listMovements({ assetId }, home.admin)).movements;
  let marks = 0;
  /** Publishes a sighting that moves nothing, and waits for its effect. */
  async function mark(assetId: string, ...events: Sighting[]): Promise<void> {
    marks += 1;
    const at = new Date(Date.now() + 3_600_000 + marks * 1_000);
    const last = withChange(sighting(assetId, at, yard), { case: "seen", value: {} });
    await register.publish(...events, last);
    await eventually(async () => expect(timestampDate((await read(assetId)).lastSeen!.at!)).toEqual(at));
  }
  /** The second mark is in a later batch, so all of the first one is handled. */
  async function handled(assetId: string, ...events: Sighting[]): Promise<void> {
    await mark(assetId, ...events);
    await mark(assetId);
  }

  test("a sighting moves the asset once: reason rfid, the reader as actor, the time of the read", async () => {
    const id = await makeAsset(register, home, { locationId: yard });
    const event = sighting(id, seenAt(0), gate);
    await handled(id, event, event, event);
    const moves = await movementsOf(id);
    expect(moves).toMatchObject([
      {
        ...{
          reason: "rfid",
          ref: event.message?.sighting?.eventId,
          fromLocationId: yard,
          toLocationId: gate,
        },
        ...{ at: event.message?.sighting?.at, by: { id: "rdr_1" } },
      },
    ]);
    expect(await read(id)).toMatchObject({ locationId: gate, propertyId: property, rev: 2 });
    await eventually(() => {
      expect(register.recorded.movement.of(id)).toHaveLength(1);
      expect(register.recorded.asset.of(id).map((each) => each.sequence)).toEqual([1, 2]);
    });
    const history = await register.mongo
      .collection<{ _id: string; workspaceId: string }>("asset_history")
      .findOne({ workspaceId: home.id, assetId: id, action: "moved" });
    expect(history).toMatchObject({ actor: { kind: "reader", id: "rdr_1" } });
  });

  test("a repeat after the asset was moved back moves it no more", async () => {
    const id = await makeAsset(register, home, { locationId: yard });
    const event = sighting(id, new Date(Date.now() + 600_000), gate);
    await handled(id, event);
    await register.custody.createMovement({ assetId: id, toLocationId: yard }, home.admin);
    await register.publish(event);
    await handled(id, sighting(id, seenAt(0), gate));
    expect((await movementsOf(id)).map(({ reason }) => reason)).toEqual(["rfid", "movement"]);
    expect((await read(id)).locationId).toBe(yard);
  });

  test("a sighting that is not newer than the last movement moves nothing, in any order of arrival", async () => {
    const id = await makeAsset(register, home);
    const { movement } = await register.custody.createMovement(
      { assetId: id, toLocationId: yard },
      home.admin,
    );
    const moved = timestampDate(movement!.at!);
    await handled(id, sighting(id, moved, gate), sighting(id, new Date(moved.getTime() - 1), gate));
    expect(await movementsOf(id)).toHaveLength(1);
    const later = (ms: number) => new Date(moved.getTime() + ms);
    await handled(id, sighting(id, later(20), gate), sighting(id, later(10), yard));
    expect((await movementsOf(id)).map(({ toLocationId }) => toLocationId)).toEqual([yard, gate]);
  });

  test("an asset that is checked out, disposed, deleted or already there stays, and so does one that left or was only seen", async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, n) => makeAsset(register, home, { locationId: n === 3 ? gate : yard })),
    );
    const [out = "", disposed = "", deleted = "", there = "", left = "", seen = ""] = ids;
    const holder = { issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
    await register.custody.createCheckout({ assetId: out, ...holder }, home.admin);
    const assets = register.mongo.collection("assets");
    const at = new Date();
    const end = { at, date: "2026-01-31", method: "scrapped", by: { kind: "user", id: "usr_1" } };
    await assets.updateOne({ _id: disposed, workspaceId: home.id }, { $set: { disposed: end } });
    await assets.updateOne(
      { _id: deleted, workspaceId: home.id },
      { $set: { deleted: true, deletedAt: at } },
    );
    const soon = new Date(Date.now() + 60_000);
    const events = ids.map((id) => sighting(id, soon, gate));
    events[4] = withChange(events[4]!, { case: "left", value: {} });
    events[5] = withChange(events[5]!, { case: "seen", value: {} });
    await register.publish(...events);
    for (const id of [out, disposed, there, left, seen]) await handled(id);
    for (const id of ids) expect(await movementsOf(id)).toEqual([]);
  });

  test("a destination that does not exist, is no location or is in another workspace moves nothing", async () => {
    const id = await makeAsset(register, home, { locationId: yard });
    const stranger = await seedWorkspace(register);
    const theirs = await makeRecord(register, stranger, { kind: OrganisationKind.LOCATION, name: "Theirs" });
    const soon = new Date(Date.now() + 60_000);
    await handled(id, ...[newId("loc"), property, theirs].map((to) => sighting(id, soon, to)));
    expect(await movementsOf(id)).toEqual([]);
    expect(await register.deadLetters.list()).toEqual([]);
  });

  test("sightings and movements by people at once: the movements form a chain in the order of their time", async () => {
    const id = await makeAsset(register, home, { locationId: yard });
    const rooms = [gate, yard];
    const people = (async () => {
      for (let round = 0; round < 6; round += 1) {
        await register.custody.createMovement({ assetId: id, toLocationId: rooms[round % 2]! }, home.admin);
      }
    })();
    for (let round = 0; round < 6; round += 1) {
      await register.publish(sighting(id, new Date(), rooms[round % 2]!));
    }
    await people;
    await handled(id);
    const moves = await movementsOf(id);
    expect(moves[0]?.fromLocationId).toBe(yard);
    const ordered = moves.toSorted((a, b) => timestampDate(a.at!).getTime() - timestampDate(b.at!).getTime());
    expect(ordered.map((move) => move.id)).toEqual(moves.map((move) => move.id));
    for (const [index, move] of moves.entries()) {
      if (index > 0) expect(move.fromLocationId).toBe(moves[index - 1]?.toLocationId);
    }
    expect((await read(id)).locationId).toBe(moves.at(-1)?.toLocationId);
  });

  // Last, because it disables the workspace.
  test("nothing moves in a disabled workspace, and last_seen is kept up to date", async () => {
    const id = await makeAsset(register, home, { locationId: yard });
    await register.publish(workspaceEvent(home.id, 2, { status: WorkspaceStatus.DISABLED }));
    await eventually(async () => {
      const row = await register.mongo
        .collection("workspaces")
        .findOne({ _id: home.id, workspaceId: home.id });
      expect(row).toMatchObject({ active: false });
    });
    await handled(id, sighting(id, new Date(Date.now() + 60_000), gate));
    expect(await movementsOf(id)).toEqual([]);
  });
});
