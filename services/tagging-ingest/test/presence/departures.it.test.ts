import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { afterAll, expect, it } from "vitest";
import { expiryDay } from "../../src/domain/presence/retention.ts";
import { dayCollection } from "../../src/store/ingest/event-log.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { createSilentReaders } from "../../src/store/readers/silent-readers.ts";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";

type Row = { _id: string; workspaceId: string; [field: string]: unknown };

const tagging = await startTagging({ settings: { REORDER_WINDOW_MS: "30000" } });
afterAll(() => tagging.stop());

const rows = (name: string) => tagging.mongo.collection<Row>(name);

it("the tags of a silent reader are suspended, and leave after the reader is back for 30 s", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  const reader = await workspace.newReader();
  const { assetId, epc } = await workspace.taggedAsset();
  const now = Date.now();
  const heard = (at: number) =>
    createReaderStore(tagging.mongo).observe([
      { workspaceId, readerId: reader.id, accepted: 0, rejected: 0, at: new Date(at) },
    ]);
  const changes = () => tagging.recorded.sighting.of(assetId).map(({ message }) => message?.change.case);
  const presence = () => rows("presences").findOne({ workspaceId, epc });
  const stored = () => rows("readers").findOne({ workspaceId, _id: reader.id });

  const readAt = now - 300_000;
  await heard(readAt);
  await tagging.inject([reader.acceptedEvent(epc, readAt)]);
  await eventually(async () => {
    expect(await presence()).toMatchObject({
      awaits: [reader.id],
      // After a week.
      departAt: new Date(readAt + 30_000 + 7 * 86_400_000),
      state: { suspended: { since: readAt + 30_000 } },
    });
    expect(await stored()).toMatchObject({ disarmed: true });
  });
  await eventually(() => expect(changes()).toEqual(["arrived"]));

  const backAt = Date.now() - 35_000;
  await heard(backAt);
  await eventually(async () => {
    expect(await presence()).toMatchObject({ departAt: new Date(backAt + 30_000) });
    expect(await presence()).not.toHaveProperty("awaits");
    expect((await presence())?.state).not.toHaveProperty("suspended");
    expect(await stored()).not.toHaveProperty("disarmed");
  });
  // Less than a minute after `backAt`, however long the steps before took: else the reader would have been silent again.
  await heard(backAt + 32_000);
  await eventually(() => expect(changes()).toEqual(["arrived", "left"]));
});

it("the tags of a reader that is back are due after the silence that their place allows", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  await tagging.readerSettings.putReaderSettings({ presence: { leaveAfterSeconds: 90 } }, workspace.admin);
  const reader = await workspace.newReader();
  const { epc } = await workspace.taggedAsset();
  const heard = (at: number) =>
    createReaderStore(tagging.mongo).observe([
      { workspaceId, readerId: reader.id, accepted: 0, rejected: 0, at: new Date(at) },
    ]);
  const presence = () => rows("presences").findOne({ workspaceId, epc });
  const readAt = Date.now() - 300_000;
  await heard(readAt);
  await tagging.inject([reader.acceptedEvent(epc, readAt)]);
  await eventually(async () =>
    expect(await presence()).toMatchObject({
      awaits: [reader.id],
      state: { suspended: { since: readAt + 90_000 } },
    }),
  );
  const backAt = Date.now();
  await heard(backAt);
  await eventually(async () =>
    expect(await presence()).toMatchObject({ departAt: new Date(backAt + 90_000) }),
  );
});

it("a reader that was silent for two minutes stays disarmed until it is heard again", async () => {
  const silentReaders = createSilentReaders(tagging.mongo);
  const workspace = tagging.newWorkspace();
  const { id } = await workspace.newReader();
  const now = Date.now();
  const heard = (at: number) =>
    createReaderStore(tagging.mongo).observe([
      { workspaceId: workspace.id, readerId: id, accepted: 0, rejected: 0, at: new Date(at) },
    ]);
  const stored = () => rows("readers").findOne({ workspaceId: workspace.id, _id: id });
  await heard(now - 120_000);
  const since = new Date(now - 60_000);
  const marked = await tagging.mongo.transaction({}, (session) => silentReaders.mark([id], since, session));
  expect(marked).toEqual(new Set([id]));
  const returned = await silentReaders.listReturned(new Date(now - 300_000), 1_000);
  expect(returned.map((reader) => reader.id)).not.toContain(id);
  await silentReaders.unmark([id]);
  expect(await stored()).toMatchObject({ disarmed: true });
  // The sweep of the service finds it.
  await heard(now);
  await eventually(async () => expect(await stored()).not.toHaveProperty("disarmed"));
});

it("a replica whose clock is a minute ahead makes no read of another replica late", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  const reader = await workspace.newReader();
  const [epc, now] = [newEpc(), Date.now()];
  await tagging.inject([reader.acceptedEvent(epc, now, now + 60_000)]);
  const events = rows(dayCollection(now));
  const first = await eventually(async () => {
    const [event] = await events.find({ workspaceId, epc }).toArray();
    expect(event).toBeDefined();
    return event;
  });
  expect(Number(first?.receivedAt)).toBeLessThan(now + 60_000);
  await tagging.inject([reader.acceptedEvent(epc, now - 100, now)]);
  await eventually(async () => expect(await events.countDocuments({ workspaceId, epc })).toBe(2));
  expect(await events.countDocuments({ workspaceId, epc, late: true })).toBe(0);
});

it("presences and counts of sightings have a day on which the database removes them", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  const reader = await workspace.newReader();
  // Before the window, so the read does not wait.
  const [epc, at] = [newEpc(), Date.now() - 60_000];
  const from = new Date();
  await tagging.inject([reader.acceptedEvent(epc, at)]);
  for (const name of ["presences", "sighting_sequences"]) {
    const row = await eventually(async () => {
      const found = await rows(name).findOne({ workspaceId });
      expect(found).not.toBeNull();
      return found;
    });
    const days = [expiryDay(from, 90), expiryDay(new Date(), 90)];
    expect(days).toContainEqual(row?.expiresAt);
    // The index of the database itself, which the migration made.
    const indexes = await systemCollection(tagging.mongo, name).indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
  }
});
