import { eventually } from "@asset-register/harness";
import { afterAll, expect, it } from "vitest";
import { dayCollection } from "../../src/store/ingest/event-log.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import { byEpc } from "../test-workspace.ts";

const tagging = await startTagging();
afterAll(() => tagging.stop());

const sightings = (subject: string) =>
  tagging.recorded.sighting.of(subject).map(({ message, sequence }) => ({
    change: message?.change.case,
    sequence,
    ...message?.sighting,
  }));
const changes = (subject: string) => sightings(subject).map(({ change }) => change);

it("one signed read: the asset arrives, with reader, zone and location", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const { assetId, epc, tagId } = await workspace.taggedAsset();
  const [result] = await tagging.sendEvents(gate.signedEvent(epc));
  await eventually(() => expect(sightings(assetId)).toHaveLength(1));
  expect(sightings(assetId)[0]).toMatchObject({
    change: "arrived",
    sequence: 1,
    epc,
    assetId,
    tagId,
    readerId: gate.id,
    zoneId: gate.zoneId,
    locationId: "loc_a",
    eventId: result?.eventId,
    reads: 1,
  });
});

it("a move between two portals has a direction and the next sequence of the asset", async () => {
  const workspace = tagging.newWorkspace();
  const [from, to] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const { assetId, epc } = await workspace.taggedAsset();
  const now = Date.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  await tagging.sendBatch(from.signedBatch([{ epc, ts: at(-9_000) }]));
  await eventually(() => expect(changes(assetId)).toEqual(["arrived"]));
  const reads = [at(-3_000), at(-1_000)].map((ts) => ({ epc, ts }));
  await tagging.sendBatch(to.signedBatch(reads));
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen", "moved"]));
  const [, first, moved] = tagging.recorded.sighting.of(assetId);
  expect(first?.message?.change.value).toMatchObject({ unconfirmed: true });
  expect(sightings(assetId)[2]).toMatchObject({ sequence: 3, zoneId: to.zoneId, locationId: "loc_b" });
  expect(moved?.message?.change.value).toMatchObject({
    fromZoneId: from.zoneId,
    fromLocationId: "loc_a",
    directed: true,
  });
});

it("reads in another order within the window give the same sightings", async () => {
  const workspace = tagging.newWorkspace();
  const [a, b] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const { assetId, epc } = await workspace.taggedAsset();
  // Before and after the end of a second, so that these are reads of two seconds.
  const t = Math.floor(Date.now() / 1_000) * 1_000 - 5_000;
  await tagging.inject([
    b.acceptedEvent(epc, t + 40, t + 40),
    b.acceptedEvent(epc, t - 20, t + 50),
    a.acceptedEvent(epc, t - 80, t + 60),
  ]);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen", "moved"]));
  expect(sightings(assetId).map(({ zoneId }) => zoneId)).toEqual([a.zoneId, b.zoneId, b.zoneId]);
});

it("a read after the window is stored as late and moves nothing back", async () => {
  const workspace = tagging.newWorkspace();
  const [a, b] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const { assetId, epc } = await workspace.taggedAsset();
  const t = Date.now() - 5_000;
  await tagging.inject([b.acceptedEvent(epc, t)]);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived"]));
  const late = a.acceptedEvent(epc, t - 2_000, t + 3_000);
  await tagging.inject([late]);
  const events = tagging.mongo.collection(dayCollection(late.ts.ms));
  await eventually(async () => {
    expect(await events.findOne({ workspaceId: workspace.id, _id: late.id })).toMatchObject({ late: true });
  });
  expect(changes(assetId)).toEqual(["arrived"]);
});

it("of two equal reads the first one counts, so the size of batches makes no difference", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const epc = newEpc();
  const t = Date.now() - 10_000;
  const read = (at: number, received: number) => gate.acceptedEvent(epc, t + at, t + received);
  const early = read(50, 250);
  await tagging.inject([read(90, 100), read(100, 200), early, read(100, 4_200)]);
  const events = tagging.mongo.collection(dayCollection(early.ts.ms));
  await eventually(async () => {
    const stored = await events.findOne({ workspaceId: workspace.id, _id: early.id });
    expect(stored?._id).toBe(early.id);
    expect(stored).not.toHaveProperty("late");
  });
});

it("a repeated batch has one effect, in the same record and in another one", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const { assetId, epc } = await workspace.taggedAsset();
  const t = Date.now() - 120_000;
  const reads = [0, 1_000, 70_000].map((ms) => gate.acceptedEvent(epc, t + ms));
  await tagging.inject([...reads, ...reads]);
  await tagging.inject(reads);
  const last = gate.acceptedEvent(epc, t + 71_000);
  await tagging.inject([last]);
  // Two days around midnight.
  const days = [...new Set([t, last.ts.ms].map(dayCollection))].map((day) => tagging.mongo.collection(day));
  const presences = tagging.mongo.collection("presences");
  await eventually(async () => {
    const presence = await presences.findOne({ workspaceId: workspace.id, epc });
    expect(presence).toMatchObject({ state: { appliedAt: last.ts.ms, pending: [] } });
    // The index of due times has only rows with the field, so the field must be absent, not null.
    expect(presence).not.toHaveProperty("releaseAt");
  });
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen"]));
  expect(sightings(assetId).map(({ sequence }) => sequence)).toEqual([1, 2]);
  const stored = await Promise.all(days.map((day) => day.countDocuments({ workspaceId: workspace.id, epc })));
  expect(stored.reduce((sum, count) => sum + count)).toBe(4);
});

it("a tag without an asset is published as unknown and listed as free, and arrives once it is bound", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const epc = newEpc();
  const send = (at: number) => tagging.sendEvents(gate.signedEvent(epc, new Date(at)));
  await send(Date.now());
  await eventually(() => expect(changes(epc)).toEqual(["unknownTag"]));
  const { tags } = await tagging.tags.listTags({ assigned: false }, workspace.admin);
  expect(tags).toMatchObject([{ epc, firstSeenAt: expect.anything() }]);
  expect(tags[0]?.assetId).toBeUndefined();
  const assetId = workspace.newAsset();
  const bound = await tagging.tags.commissionTag({ ...byEpc(epc), assetId }, workspace.admin);
  expect(bound).toMatchObject({ created: true, tag: { id: tags[0]?.id } });
  await send(Date.now());
  await eventually(() => expect(changes(assetId)).toEqual(["arrived"]));
});

it("a tag leaves when its portal is alive and has not read it for 30 s", async () => {
  const workspace = tagging.newWorkspace();
  const [gate, dead] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const [gone, kept] = [await workspace.taggedAsset(), await workspace.taggedAsset()];
  const t = Date.now() - 40_000;
  await tagging.inject([gate.acceptedEvent(gone.epc, t)]);
  await tagging.inject([dead.acceptedEvent(kept.epc, t)]);
  await eventually(() => {
    expect([changes(gone.assetId), changes(kept.assetId)]).toEqual([["arrived"], ["arrived"]]);
  });
  await tagging.sendBatch(gate.signedBatch([]));
  await eventually(() => expect(changes(gone.assetId)).toEqual(["arrived", "left"]));
  expect(sightings(gone.assetId)[1]).toMatchObject({ readerId: gate.id });
  expect(sightings(gone.assetId)[1]?.zoneId).toBeUndefined();
  // The sweep that made the one leave has looked at the other too.
  expect(changes(kept.assetId)).toEqual(["arrived"]);
});

it("after a silence of its portal, a tag leaves only when the portal has been heard for 30 s again", async () => {
  const workspace = tagging.newWorkspace();
  const [back, steady] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const [kept, gone] = [await workspace.taggedAsset(), await workspace.taggedAsset()];
  const now = Date.now();
  const heard = (reader: { id: string }, ms: number) =>
    createReaderStore(tagging.mongo).observe([
      {
        ...{ workspaceId: workspace.id, readerId: reader.id, accepted: 0, rejected: 0 },
        at: new Date(now + ms),
      },
    ]);
  const leftAt = now - 300_000;
  await tagging.inject([back.acceptedEvent(kept.epc, leftAt)]);
  await tagging.inject([steady.acceptedEvent(gone.epc, leftAt)]);
  await eventually(() => {
    expect([changes(kept.assetId), changes(gone.assetId)]).toEqual([["arrived"], ["arrived"]]);
  });
  await heard(back, -300_000);
  await heard(back, -35_000);
  for (let ms = -300_000; ms <= 0; ms += 30_000) await heard(steady, ms);
  await eventually(() => expect(changes(gone.assetId)).toEqual(["arrived", "left"]));
  expect(changes(kept.assetId)).toEqual(["arrived"]);
  await heard(back, 0);
  await eventually(() => expect(changes(kept.assetId)).toEqual(["arrived", "left"]));
});

it("reads that a stopped worker has left waiting are released by their stored due times", async () => {
  // The clock of the service does not move, so that the reads wait on any machine.
  let now = Date.now();
  const stopped = await startTagging({
    settings: { REORDER_WINDOW_MS: "4000" },
    now: () => new Date(now),
  });
  const workspace = stopped.newWorkspace();
  const [reader, epc] = [await workspace.newReader(), newEpc()];
  await stopped.sendEvents(reader.signedEvent(epc, new Date(now)));
  const presences = stopped.mongo.collection("presences");
  await eventually(async () => {
    const presence = await presences.findOne({ workspaceId: workspace.id, epc });
    expect(presence).toMatchObject({ state: { pending: [{ readerId: reader.id }] } });
  });
  await stopped.stopProcess(stopped.app);
  now += 10_000;
  await stopped.start();
  await eventually(() => expect(stopped.recorded.sighting.of(epc)).toHaveLength(1));
  await stopped.stop();
});
