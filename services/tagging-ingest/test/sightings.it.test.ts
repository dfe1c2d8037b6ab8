import { createProducer } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import { ReaderEventsSchema } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { topics } from "@asset-register/proto/topics";
import { createMetrics } from "@asset-register/runtime";
import { create, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AcceptedEvent } from "../src/domain/accepted-event.ts";
import { dayCollection } from "../src/domain/event-day.ts";
import { readerEventMessage } from "../src/reader-event-message.ts";
import { createReaderStore } from "../src/store/readers.ts";
import {
  logger,
  newAsset,
  newEpc,
  newReader,
  newWorkspace,
  signedBatch,
  signedEvent,
  startNeighbours,
  startTagging,
  type Tagging,
  taggedAsset,
  type Workspace,
} from "./support.ts";

let tagging: Tagging;
let neighbours: Awaited<ReturnType<typeof startNeighbours>>;
let broker: ReturnType<typeof createProducer>;

beforeAll(async () => {
  tagging = await startTagging();
  neighbours = await startNeighbours(tagging);
  const metrics = createMetrics({ service: "test" });
  broker = createProducer({ kafka: tagging.kafka, logger, metrics, topics: [topics.readerEvent] });
  await broker.connect();
});
afterAll(async () => {
  await broker.disconnect();
  await neighbours.close();
  await tagging.stop();
});

/** A zone with a fixed portal in it. */
async function newGate(workspace: Workspace, location: string) {
  tagging.register.locations.add(`${workspace.id}:${location}`);
  const { zone } = await tagging.zones.createZone(
    { name: location, locationIds: [location], readerIds: [] },
    workspace.caller,
  );
  const zoneId = zone?.id ?? "";
  return { ...(await newReader(tagging, workspace, { zoneId })), zoneId };
}

/** Puts events into Kafka as ingest does, in one record. */
async function inject(events: AcceptedEvent[]): Promise<void> {
  const message = create(ReaderEventsSchema, { events: events.map(readerEventMessage) });
  const [first] = events;
  await broker.send([
    {
      topic: topics.readerEvent,
      key: null,
      partition: broker.partitionFor(topics.readerEvent, `${first?.workspaceId}:${first?.epc}`),
      value: toBinary(ReaderEventsSchema, message),
    },
  ]);
}

const eventOf = (
  workspace: Workspace,
  readerId: string,
  epc: string,
  at: number,
  receivedAt = at,
): AcceptedEvent => ({
  id: `evt_${epc}${at}${readerId}`,
  workspaceId: workspace.id,
  readerId,
  epc,
  ts: { ms: at, nanos: 0 },
  receivedAt,
  count: 1,
});

const told = (subject: string) =>
  neighbours.published.sighting.of(subject).map(({ message, sequence }) => ({
    change: message?.change.case,
    sequence,
    ...message?.sighting,
  }));
const changes = (subject: string) => told(subject).map(({ change }) => change);

it("tells of a single signed read where the asset arrived, with reader, zone and location", async () => {
  const workspace = newWorkspace();
  const gate = await newGate(workspace, "loc_a");
  const { assetId, epc, tagId } = await taggedAsset(tagging, workspace);
  const { results } = await tagging.ingest.ingestSignedEvents({
    events: [signedEvent(workspace, gate, epc, new Date())],
  });
  await eventually(() => expect(told(assetId)).toHaveLength(1));
  expect(told(assetId)[0]).toMatchObject({
    change: "arrived",
    sequence: 1,
    epc,
    assetId,
    tagId,
    readerId: gate.id,
    zoneId: gate.zoneId,
    locationId: "loc_a",
    eventId: results[0]?.eventId,
    reads: 1,
  });
});

it("tells of a move between portals, with its direction and the asset's next number", async () => {
  const workspace = newWorkspace();
  const [from, to] = [await newGate(workspace, "loc_a"), await newGate(workspace, "loc_b")];
  const { assetId, epc } = await taggedAsset(tagging, workspace);
  const now = Date.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  await tagging.ingest.ingestSignedBatches({ batches: [signedBatch(from, [{ epc, ts: at(-9_000) }])] });
  await eventually(() => expect(changes(assetId)).toEqual(["arrived"]));
  const reads = [at(-3_000), at(-1_000)].map((ts) => ({ epc, ts }));
  await tagging.ingest.ingestSignedBatches({ batches: [signedBatch(to, reads)] });
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "moved"]));
  expect(told(assetId)[1]).toMatchObject({ sequence: 2, zoneId: to.zoneId, locationId: "loc_b" });
  expect(neighbours.published.sighting.of(assetId)[1]?.message?.change.value).toMatchObject({
    fromZoneId: from.zoneId,
    fromLocationId: "loc_a",
    directed: true,
  });
});

it("gives the same for reads that arrive in the wrong order within the window", async () => {
  const workspace = newWorkspace();
  const [a, b] = [await newGate(workspace, "loc_a"), await newGate(workspace, "loc_b")];
  const { assetId, epc } = await taggedAsset(tagging, workspace);
  const t = Date.now() - 5_000;
  await inject([
    eventOf(workspace, b.id, epc, t + 120, t + 120),
    eventOf(workspace, b.id, epc, t + 60, t + 130),
    eventOf(workspace, a.id, epc, t, t + 140),
  ]);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "moved"]));
  expect(told(assetId).map(({ zoneId }) => zoneId)).toEqual([a.zoneId, b.zoneId]);
});

it("stores what comes after the window as late, and moves nothing backwards", async () => {
  const workspace = newWorkspace();
  const [a, b] = [await newGate(workspace, "loc_a"), await newGate(workspace, "loc_b")];
  const { assetId, epc } = await taggedAsset(tagging, workspace);
  const t = Date.now() - 5_000;
  await inject([eventOf(workspace, b.id, epc, t)]);
  await eventually(() => expect(changes(assetId)).toEqual(["arrived"]));
  const late = eventOf(workspace, a.id, epc, t - 2_000, t + 3_000);
  await inject([late]);
  const events = tagging.mongo.collection(dayCollection(late.ts.ms));
  await eventually(async () => {
    expect(await events.findOne({ workspaceId: workspace.id, _id: late.id })).toMatchObject({ late: true });
  });
  expect(changes(assetId)).toEqual(["arrived"]);
});

it("takes of a read that is there twice the first, so that batches change nothing", async () => {
  const workspace = newWorkspace();
  const gate = await newGate(workspace, "loc_a");
  const epc = newEpc();
  const t = Date.now() - 10_000;
  const read = (at: number, received: number) => eventOf(workspace, gate.id, epc, t + at, t + received);
  const early = read(50, 250);
  await inject([read(90, 100), read(100, 200), early, read(100, 4_200)]);
  const events = tagging.mongo.collection(dayCollection(early.ts.ms));
  await eventually(async () => {
    const stored = await events.findOne({ workspaceId: workspace.id, _id: early.id });
    expect(stored?._id).toBe(early.id);
    expect(stored).not.toHaveProperty("late");
  });
});

it("has one effect of a batch that comes again, in the same record and in another", async () => {
  const workspace = newWorkspace();
  const gate = await newGate(workspace, "loc_a");
  const { assetId, epc } = await taggedAsset(tagging, workspace);
  const t = Date.now() - 120_000;
  const reads = [0, 1_000, 70_000].map((ms) => eventOf(workspace, gate.id, epc, t + ms));
  await inject([...reads, ...reads]);
  await inject(reads);
  const last = eventOf(workspace, gate.id, epc, t + 71_000);
  await inject([last]);
  // Two around midnight.
  const days = [...new Set([t, last.ts.ms].map(dayCollection))].map((day) => tagging.mongo.collection(day));
  const presences = tagging.mongo.collection("presences");
  await eventually(async () => {
    const presence = await presences.findOne({ workspaceId: workspace.id, epc });
    expect(presence).toMatchObject({ state: { appliedAt: last.ts.ms, pending: [] } });
  });
  await eventually(() => expect(changes(assetId)).toEqual(["arrived", "seen"]));
  expect(told(assetId).map(({ sequence }) => sequence)).toEqual([1, 2]);
  const stored = await Promise.all(days.map((day) => day.countDocuments({ workspaceId: workspace.id, epc })));
  expect(stored.reduce((sum, count) => sum + count)).toBe(4);
});

it("tells of a tag on nothing as unknown, shows it as free, and of its arrival once it is bound", async () => {
  const workspace = newWorkspace();
  const gate = await newGate(workspace, "loc_a");
  const epc = newEpc();
  const send = (at: number) =>
    tagging.ingest.ingestSignedEvents({ events: [signedEvent(workspace, gate, epc, new Date(at))] });
  await send(Date.now());
  await eventually(() => expect(changes(epc)).toEqual(["unknownTag"]));
  const { tags } = await tagging.tags.listTags({ assigned: false }, workspace.caller);
  expect(tags).toMatchObject([{ epc, assetId: "", firstSeenAt: expect.anything() }]);
  const assetId = newAsset(tagging.register, workspace);
  const bound = await tagging.tags.commissionTag(
    { identifier: { case: "epc", value: epc }, assetId },
    workspace.caller,
  );
  expect(bound).toMatchObject({ created: true, tag: { id: tags[0]?.id } });
  await send(Date.now());
  await eventually(() => expect(changes(assetId)).toEqual(["arrived"]));
});

it("tells that a tag left once its portal is alive and has not read it for 30 s", async () => {
  const workspace = newWorkspace();
  const [gate, dead] = [await newGate(workspace, "loc_a"), await newGate(workspace, "loc_b")];
  const [gone, kept] = [await taggedAsset(tagging, workspace), await taggedAsset(tagging, workspace)];
  const t = Date.now() - 40_000;
  await inject([eventOf(workspace, gate.id, gone.epc, t)]);
  await inject([eventOf(workspace, dead.id, kept.epc, t)]);
  await eventually(() => {
    expect([changes(gone.assetId), changes(kept.assetId)]).toEqual([["arrived"], ["arrived"]]);
  });
  await tagging.ingest.ingestSignedBatches({ batches: [signedBatch(gate, [])] });
  await eventually(() => expect(changes(gone.assetId)).toEqual(["arrived", "left"]));
  expect(told(gone.assetId)[1]).toMatchObject({ zoneId: "", readerId: gate.id });
  // The sweep that took the one away has looked at the other too.
  expect(changes(kept.assetId)).toEqual(["arrived"]);
});

it("tells of nothing that left while its portal was away, until that has been back for 30 s", async () => {
  const workspace = newWorkspace();
  const [back, steady] = [await newGate(workspace, "loc_a"), await newGate(workspace, "loc_b")];
  const [kept, gone] = [await taggedAsset(tagging, workspace), await taggedAsset(tagging, workspace)];
  const now = Date.now();
  const heard = (reader: { id: string }, ms: number) =>
    createReaderStore(tagging.mongo).observe([
      {
        ...{ workspaceId: workspace.id, readerId: reader.id, accepted: 0, rejected: 0 },
        at: new Date(now + ms),
      },
    ]);
  const leftAt = now - 300_000;
  await inject([eventOf(workspace, back.id, kept.epc, leftAt)]);
  await inject([eventOf(workspace, steady.id, gone.epc, leftAt)]);
  await eventually(() => {
    expect([changes(kept.assetId), changes(gone.assetId)]).toEqual([["arrived"], ["arrived"]]);
  });
  await heard(back, -300_000);
  await heard(back, 0);
  for (let ms = -300_000; ms <= 0; ms += 30_000) await heard(steady, ms);
  await eventually(() => expect(changes(gone.assetId)).toEqual(["arrived", "left"]));
  expect(changes(kept.assetId)).toEqual(["arrived"]);
  await heard(back, 30_000);
  await eventually(() => expect(changes(kept.assetId)).toEqual(["arrived", "left"]));
});

it("releases by stored due times what a stopped worker has left waiting", async () => {
  const stopped = await startTagging({ env: { REORDER_WINDOW_MS: "4000" } });
  const workspace = newWorkspace();
  const [reader, epc] = [await newReader(stopped, workspace), newEpc()];
  await stopped.ingest.ingestSignedEvents({ events: [signedEvent(workspace, reader, epc, new Date())] });
  const presences = stopped.mongo.collection("presences");
  await eventually(async () => {
    const presence = await presences.findOne({ workspaceId: workspace.id, epc });
    expect(presence).toMatchObject({ state: { pending: [{ readerId: reader.id }] } });
  });
  await stopped.app.stop();
  const next = await stopped.start();
  const heard = await startNeighbours(stopped);
  await eventually(() => expect(heard.published.sighting.of(epc)).toHaveLength(1));
  await heard.close();
  await stopped.stop({ running: next });
});
