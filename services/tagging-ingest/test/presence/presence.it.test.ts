import { eventually } from "@asset-register/harness";
import { LeftReason } from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { expect, it } from "vitest";
import { suspended } from "../../migrations/0004-suspended.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { sharedTagging } from "../support.ts";
import type { TestReader } from "../test-reader.ts";
import type { Workspace } from "../test-workspace.ts";

type Row = { _id: string; workspaceId: string; [field: string]: unknown };

// The four faults of ingest.md, "Presence", on real servers.

const DAY_MS = 86_400_000;
const tagging = await sharedTagging();

const rows = (name: string) => tagging.mongo.collection<Row>(name);
const sightings = (assetId: string) =>
  tagging.recorded.sighting.of(assetId).map(({ message }) => ({
    ...{ change: message?.change.case, detail: message?.change.value },
    ...message?.sighting,
  }));
const changes = (assetId: string) => sightings(assetId).map(({ change }) => change);
const presence = ({ id: workspaceId }: Workspace, epc: string) =>
  rows("presences").findOne({ workspaceId, epc });

/** The time passes for a presence: its departure is due, as if the last read had been so long ago. */
const makeDue = ({ id: workspaceId }: Workspace, epc: string) =>
  rows("presences").updateOne({ workspaceId, epc }, { $set: { departAt: new Date(Date.now() - 1_000) } });

/** The reader was heard at a time, as its requests write it. */
const hear = ({ id: workspaceId }: Workspace, { id: readerId }: { id: string }, at: number) =>
  createReaderStore(tagging.mongo).observe([
    { workspaceId, readerId, accepted: 0, rejected: 0, at: new Date(at) },
  ]);

/** A tag that portals read in turn, five minutes ago. The last one is the place. */
async function readLongAgo(workspace: Workspace, ...portals: TestReader[]) {
  const { assetId, epc } = await workspace.taggedAsset();
  const at = Date.now() - 300_000;
  for (const [turn, portal] of portals.entries()) {
    await hear(workspace, portal, at + turn * 1_000);
    await tagging.inject([portal.acceptedEvent(epc, at + turn * 1_000)]);
  }
  await eventually(() => expect(changes(assetId)).toEqual(["arrived"]));
  return { assetId, epc, lastAt: at + (portals.length - 1) * 1_000 };
}

it.concurrent("a tag whose only reader was revoked leaves a day after the revocation, with its reason", async () => {
  const workspace = tagging.newWorkspace();
  const portal = await workspace.newGate(["loc_a"]);
  const { assetId, epc } = await readLongAgo(workspace, portal);
  await tagging.readers.revokeReader({ id: portal.id }, workspace.admin);
  const reader = await rows("readers").findOne({ workspaceId: workspace.id, _id: portal.id });
  const revokedAt = Number(reader?.revokedAt);
  const due = new Date(revokedAt + DAY_MS);
  await eventually(async () => expect(await presence(workspace, epc)).toMatchObject({ departAt: due }));
  expect(changes(assetId)).toEqual(["arrived"]);
  await rows("readers").updateOne(
    { workspaceId: workspace.id, _id: portal.id },
    { $set: { revokedAt: new Date(revokedAt - DAY_MS) } },
  );
  await makeDue(workspace, epc);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "left"]));
  expect(sightings(assetId)[1]?.detail).toMatchObject({
    fromZoneId: portal.zoneId,
    reason: LeftReason.READER_GONE,
  });
});

it.concurrent("a tag that waits for a silent reader is judged again when the reader is revoked", async () => {
  const workspace = tagging.newWorkspace();
  const portal = await workspace.newGate(["loc_a"]);
  const { epc, lastAt } = await readLongAgo(workspace, portal);
  await eventually(async () =>
    expect(await presence(workspace, epc)).toMatchObject({
      awaits: [portal.id],
      departAt: new Date(lastAt + 30_000 + 7 * DAY_MS),
    }),
  );
  await tagging.readers.revokeReader({ id: portal.id }, workspace.admin);
  await eventually(async () => {
    const stored = await presence(workspace, epc);
    expect(Number(stored?.departAt)).toBeLessThan(Date.now() + DAY_MS);
    expect(Number(stored?.departAt)).toBeGreaterThan(Date.now());
    expect(stored).not.toHaveProperty("awaits");
    expect(stored).toMatchObject({ state: { suspended: { since: lastAt + 30_000 } } });
  });
  const stored = await rows("readers").findOne({ workspaceId: workspace.id, _id: portal.id });
  expect(stored).not.toHaveProperty("disarmed");
});

it.concurrent("after a revocation, another portal of the zone judges that the tag left", async () => {
  const workspace = tagging.newWorkspace();
  const portal = await workspace.newGate(["loc_a"]);
  const other = await workspace.newReader({ zoneId: portal.zoneId });
  const { assetId } = await readLongAgo(workspace, portal);
  await hear(workspace, other, Date.now());
  await tagging.readers.revokeReader({ id: portal.id }, workspace.admin);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "left"]));
  expect(sightings(assetId)[1]?.detail).toMatchObject({ fromZoneId: portal.zoneId });
  expect(sightings(assetId)[1]?.detail).not.toHaveProperty("reason");
});

it.concurrent("a portal that read the tag in the same stay judges, when the last one is silent", async () => {
  const workspace = tagging.newWorkspace();
  const dead = await workspace.newGate(["loc_a"]);
  const alive = await workspace.newReader({ zoneId: dead.zoneId });
  const { assetId } = await readLongAgo(workspace, alive, dead);
  for (let ago = 270_000; ago >= 0; ago -= 30_000) await hear(workspace, alive, Date.now() - ago);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "left"]));
});

it.concurrent("after 7 days, a tag of a silent reader leaves with its reason", async () => {
  const workspace = tagging.newWorkspace();
  const portal = await workspace.newGate(["loc_a"]);
  const { assetId, epc } = await readLongAgo(workspace, portal);
  await eventually(async () => expect(await presence(workspace, epc)).toMatchObject({ awaits: [portal.id] }));
  await rows("readers").updateOne(
    { workspaceId: workspace.id, _id: portal.id },
    { $set: { lastSeenAt: new Date(Date.now() - 8 * DAY_MS) } },
  );
  await rows("presences").updateOne(
    { workspaceId: workspace.id, epc },
    { $set: { "state.suspended.since": Date.now() - 7 * DAY_MS } },
  );
  await makeDue(workspace, epc);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "left"]));
  expect(sightings(assetId)[1]?.detail).toMatchObject({ reason: LeftReason.READER_GONE });
});

it.concurrent("a single read at another portal while the departure is suspended moves the tag at once", async () => {
  const workspace = tagging.newWorkspace();
  const portal = await workspace.newGate(["loc_a"]);
  const exit = await workspace.newGate(["loc_exit"]);
  const { assetId, epc } = await readLongAgo(workspace, portal);
  await eventually(async () => expect(await presence(workspace, epc)).toMatchObject({ awaits: [portal.id] }));
  await tagging.inject([exit.acceptedEvent(epc, Date.now())]);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "moved"]));
  expect(sightings(assetId)[1]).toMatchObject({ zoneId: exit.zoneId, detail: { fromZoneId: portal.zoneId } });
  expect(await presence(workspace, epc)).not.toHaveProperty("awaits");
});

it.concurrent("a single read at an exit portal is a move when the tag is not read again, with a direction and destination", async () => {
  const workspace = tagging.newWorkspace();
  const hall = await workspace.newGate(["loc_hall"]);
  const exit = await workspace.newGate(["loc_exit"], { autoMove: true });
  const { assetId, epc } = await workspace.taggedAsset();
  const at = Date.now() - 40_000;
  await tagging.inject([hall.acceptedEvent(epc, at)]);
  const single = exit.acceptedEvent(epc, at + 3_000);
  await tagging.inject([single]);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen"]));
  expect(sightings(assetId)[1]).toMatchObject({ zoneId: exit.zoneId, detail: { unconfirmed: true } });
  await tagging.sendBatch(hall.signedBatch([]));
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen", "moved"]));
  expect(sightings(assetId)[2]).toMatchObject({
    ...{ zoneId: exit.zoneId, eventId: single.id, autoMoveLocationId: "loc_exit" },
    detail: { fromZoneId: hall.zoneId, directed: true },
  });
  // That place is judged in turn.
  await tagging.sendBatch(exit.signedBatch([]));
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen", "moved", "left"]));
});

it.concurrent("a handheld reads a tag often in its own zone: the portal's zone keeps it", async () => {
  const workspace = tagging.newWorkspace();
  const hall = await workspace.newGate(["loc_hall"]);
  const sled = await workspace.newGate(["loc_store"], { kind: ReaderKind.HANDHELD_SLED });
  const { assetId, epc } = await workspace.taggedAsset();
  const at = Date.now() - 20_000;
  await tagging.inject([hall.acceptedEvent(epc, at)]);
  for (let second = 1; second <= 10; second += 1) {
    await tagging.inject([sled.acceptedEvent(epc, at + second * 1_000)]);
  }
  await eventually(async () =>
    expect(await presence(workspace, epc)).toMatchObject({ state: { appliedAt: at + 10_000, pending: [] } }),
  );
  expect(await presence(workspace, epc)).toMatchObject({ state: { place: { zoneId: hall.zoneId } } });
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen"]));
  expect(sightings(assetId)[1]).toMatchObject({ readerId: sled.id, detail: { unconfirmed: true } });
});

it.concurrent("a tag between two portals that read it in turn for a minute does not move to and fro", async () => {
  const workspace = tagging.newWorkspace();
  const [a, b] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const { assetId, epc } = await workspace.taggedAsset();
  const at = Date.now() - 70_000;
  const turns = Array.from({ length: 120 }, (_, turn) =>
    (turn % 2 === 0 ? a : b).acceptedEvent(epc, at + turn * 500),
  );
  await tagging.inject(turns);
  await eventually(async () =>
    expect(await presence(workspace, epc)).toMatchObject({ state: { pending: [], appliedAt: at + 59_500 } }),
  );
  await eventually(() => expect(changes(assetId).length).toBeGreaterThan(0));
  expect(changes(assetId).filter((change) => change === "moved")).toEqual([]);
});

it.concurrent("a presence of an earlier release, whose reader was silent or revoked, is judged again", async () => {
  const workspace = tagging.newWorkspace();
  const portal = await workspace.newGate(["loc_a"]);
  const { epc } = await readLongAgo(workspace, portal);
  await eventually(async () => expect(await presence(workspace, epc)).toMatchObject({ awaits: [portal.id] }));
  await rows("presences").updateOne(
    { workspaceId: workspace.id, epc },
    {
      $set: { awaits: portal.id },
      $unset: { departAt: 1, "state.v": 1, "state.suspended": 1, "state.recent": 1 },
    },
  );
  await suspended.up(tagging.mongo);
  await eventually(async () =>
    expect(await presence(workspace, epc)).toMatchObject({ awaits: [portal.id], state: { v: 3 } }),
  );
});
