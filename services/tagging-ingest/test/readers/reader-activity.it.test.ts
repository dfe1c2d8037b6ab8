import { createOutbox } from "@asset-register/events";
import { eventually, testServers } from "@asset-register/harness";
import { IngestService, IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { createRedis } from "@asset-register/redis";
import { createLogger } from "@asset-register/runtime";
import { afterAll, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { createReaderActivity } from "../../src/operations/readers/reader-activity.ts";
import { createReaderHours } from "../../src/store/readers/reader-hours.ts";
import { createReaderLiveness } from "../../src/store/readers/reader-liveness.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { createSharedActivity } from "../../src/store/readers/shared-activity.ts";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import type { Workspace } from "../test-workspace.ts";

let now = Date.now();
const tagging = await startTagging({ now: () => new Date(now) });
const logger = createLogger({ service: "test", level: "silent" });
const redis = createRedis({ url: testServers().redisUrl, timeoutMs: 5_000, logger });
await redis.connect();
afterAll(async () => {
  await tagging.stop();
  redis.disconnect();
});

/** Collects activity as a replica does, and writes it when it stops. */
function newReplica({ storeEveryMs = 0, onWrite = (_readers: number) => {}, onShare = () => {} } = {}) {
  const { mongo } = tagging;
  const [readers, shared] = [createReaderStore(mongo), createSharedActivity(redis)];
  return createReaderActivity(
    {
      ...{ mongo, outbox: createOutbox(mongo), logger, now: () => new Date(now) },
      stores: {
        readers: {
          async observe(activities, session) {
            onWrite(activities.length);
            await readers.observe(activities, session);
          },
        },
        readerHours: createReaderHours(mongo),
        readerLiveness: createReaderLiveness(mongo),
        sharedActivity: {
          async share(...args) {
            const turns = await shared.share(...args);
            onShare();
            return turns;
          },
        },
      },
    } as Context,
    { storeEveryMs },
  );
}

const stored = (workspace: Workspace, { id }: { id: string }) =>
  createReaderStore(tagging.mongo).get(workspace.id, id);

it("the clock skew of a reader: a larger sample replaces it, a smaller one has a weight of 0.7", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const { observe } = createReaderStore(tagging.mongo);
  const learns = async (skewMs?: number) => {
    const activity = { workspaceId: workspace.id, readerId: reader.id, accepted: 2, rejected: 1, skewMs };
    await tagging.mongo.transaction({}, (session) => observe([activity], session));
    return (await stored(workspace, reader))?.clockSkewMs;
  };
  expect(await learns()).toBeUndefined();
  expect(await learns(-50_000)).toBe(-50_000);
  expect(await learns(10_000)).toBe(10_000);
  expect(await learns(-90_000)).toBe(-60_000);
  expect(await learns()).toBe(-60_000);
  expect(await stored(workspace, reader)).toMatchObject({ accepted: 10, rejected: 5 });
});

it("the clock skew of a reader is learned from new requests, not from repeats", async () => {
  const workspace = tagging.newWorkspace();
  const [portal, sled] = [await workspace.newReader(), await workspace.newReader()];
  const batch = portal.signedBatch([{ epc: newEpc(), ts: now }], { at: new Date(now) });
  const ahead = sled.signedEvent(newEpc(), new Date(now + 60_000));
  // A new process each time: it writes what it has learned when it stops.
  const send = async () => {
    const app = await tagging.start({ ROLES: "api" });
    const ingest = tagging.client(IngestService, "gateway", app);
    const [{ batches }, { results }] = await Promise.all([
      ingest.ingestSignedBatches({ batches: [batch] }),
      ingest.ingestSignedEvents({ events: [ahead] }),
    ]);
    const statuses = [...(batches[0]?.results ?? []), ...results].map(({ status }) => status);
    expect(statuses).toEqual([
      IngestStatus.ACCEPTED,
      expect.toBeOneOf([IngestStatus.ACCEPTED, IngestStatus.DUPLICATE]),
    ]);
    await tagging.stopProcess(app);
    return [(await stored(workspace, portal))?.clockSkewMs, (await stored(workspace, sled))?.clockSkewMs];
  };
  const learned = await send();
  expect(Math.abs(learned[0] ?? Number.NaN)).toBeLessThanOrEqual(500);
  expect(learned[1]).toBe(60_000);
  now += 200_000;
  expect(await send()).toEqual(learned);
});

it("activity that could not be written is written and published once when the database is back", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const { mongo } = tagging;
  const [readers, liveness] = [createReaderStore(mongo), createReaderLiveness(mongo)];
  let failing: "before" | "after" | "none" = "before";
  const failIn = (name: typeof failing) => {
    if (failing === name) throw new Error(`fails ${name} the write`);
  };
  const activity = createReaderActivity(
    {
      ...{ mongo, outbox: createOutbox(mongo), logger, now: () => new Date(now) },
      stores: {
        sharedActivity: createSharedActivity(redis),
        readers: {
          observe: async (...args) => {
            failIn("before");
            await readers.observe(...args);
            failIn("after");
          },
        },
        readerHours: createReaderHours(mongo),
        readerLiveness: liveness,
      },
    } as Context,
    { storeEveryMs: 0 },
  );
  const at = new Date();
  activity.note({ workspaceId: workspace.id, readerId: reader.id, at, accepted: 3, rejected: 1 });
  await activity.stop();
  expect(await stored(workspace, reader)).toMatchObject({ accepted: 0, rejected: 0 });
  activity.note({ workspaceId: workspace.id, readerId: reader.id, accepted: 0, rejected: 1 });
  failing = "after";
  await activity.stop();
  expect(await stored(workspace, reader)).toMatchObject({ accepted: 0, rejected: 0 });
  failing = "none";
  await activity.stop();
  await activity.stop();
  // Liveness has a topic of its own: the reader has only its event "created".
  expect(await stored(workspace, reader)).toMatchObject({
    ...{ accepted: 3, rejected: 2, lastSeenAt: at, sequence: 1 },
  });
  await eventually(() => {
    const events = tagging.recorded.readerLiveness.of(reader.id);
    expect(events).toMatchObject([{ sequence: at.getTime(), message: { readerId: reader.id } }]);
  });
});

it("liveness of readers is published once a minute by several replicas together", async () => {
  const workspace = tagging.newWorkspace();
  const fleet = await Promise.all(Array.from({ length: 20 }, () => workspace.newReader()));
  const replicas = [newReplica(), newReplica(), newReplica()];
  const minute = Math.floor(now / 60_000) * 60_000;
  const heard = async (at: number) => {
    for (const { note } of replicas) {
      for (const { id: readerId } of fleet) {
        note({ workspaceId: workspace.id, readerId, at: new Date(at), accepted: 1, rejected: 0 });
      }
    }
    await Promise.all(replicas.map(({ stop }) => stop()));
  };
  for (const at of [minute, minute + 30_000, minute + 59_999, minute + 60_000]) await heard(at);
  const counts = () =>
    fleet.map(({ id }) => tagging.recorded.readerLiveness.of(id).map(({ sequence }) => sequence));
  await eventually(() => expect(counts()).toEqual(fleet.map(() => [minute, minute + 60_000])));
  expect(await stored(workspace, fleet[0]!)).toMatchObject({ accepted: 12 });
});

it("one of several replicas writes what all of them have heard of a reader, and nothing is lost when they stop", async () => {
  const workspace = tagging.newWorkspace();
  const fleet = await Promise.all(Array.from({ length: 20 }, () => workspace.newReader()));
  let [written, shares] = [0, 0];
  const replicas = [1, 2, 3].map(() =>
    newReplica({
      storeEveryMs: 600_000,
      onWrite: (readers) => (written += readers),
      onShare: () => (shares += 1),
    }),
  );
  for (const { note, start } of replicas) {
    for (const { id: readerId } of fleet) {
      note({ workspaceId: workspace.id, readerId, at: new Date(now), accepted: 1, rejected: 0 });
    }
    start();
  }
  await eventually(() => expect(shares).toBe(replicas.length));
  await eventually(() => expect(written).toBe(fleet.length));
  for (const { stop } of replicas) await stop();
  expect(await stored(workspace, fleet[0]!)).toMatchObject({ accepted: 3 });
  expect(await stored(workspace, fleet[19]!)).toMatchObject({ accepted: 3 });
});

it("the counts of a minute add up over many writes of several replicas", async () => {
  const workspace = tagging.newWorkspace();
  const { id: readerId } = await workspace.newReader();
  const replicas = [newReplica(), newReplica()];
  for (let write = 0; write < 4; write += 1) {
    for (const { note, stop } of replicas) {
      const codes = { VALIDATION_FAILED: 1, [`CODE_${write}`]: 1 };
      note({ workspaceId: workspace.id, readerId, at: new Date(now), accepted: 3, rejected: 2, codes });
      await stop();
    }
    if (write === 1) now += 60_000;
  }
  expect(await stored(workspace, { id: readerId })).toMatchObject({ accepted: 24, rejected: 16 });
  const { eventsPerMinute, rejectedByCode } = await tagging.readers.getReader(
    { id: readerId },
    workspace.admin,
  );
  expect(eventsPerMinute).toBe(1.6);
  expect(rejectedByCode).toEqual({ VALIDATION_FAILED: 8, CODE_0: 2, CODE_1: 2, CODE_2: 2, CODE_3: 2 });
});

it("a repeated request does not keep a reader alive", async () => {
  const workspace = tagging.newWorkspace();
  const [portal, sled] = [await workspace.newReader(), await workspace.newReader()];
  const batch = portal.signedBatch([{ epc: newEpc(), ts: now }], { at: new Date(now) });
  const event = sled.signedEvent(newEpc(), new Date(now));
  const send = async () => {
    const app = await tagging.start({ ROLES: "api" });
    const ingest = tagging.client(IngestService, "gateway", app);
    await ingest.ingestSignedBatches({ batches: [batch] });
    await ingest.ingestSignedEvents({ events: [event] });
    await tagging.stopProcess(app);
    return [(await stored(workspace, portal))?.lastSeenAt, (await stored(workspace, sled))?.lastSeenAt];
  };
  const first = await send();
  expect(first).toEqual([new Date(now), new Date(now)]);
  now += 120_000;
  expect(await send()).toEqual(first);
});

it("the health of a reader: accepted events a minute and rejected ones by code, over the last 15 minutes", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const health = async () => {
    const { eventsPerMinute, rejectedByCode } = await tagging.readers.getReader(
      { id: reader.id },
      workspace.admin,
    );
    return { eventsPerMinute, rejectedByCode };
  };
  expect(await health()).toEqual({ eventsPerMinute: 0, rejectedByCode: {} });
  const send = async () => {
    const app = await tagging.start({ ROLES: "api" });
    const ingest = tagging.client(IngestService, "gateway", app);
    const tooOld = { epc: newEpc(), ts: now - 8 * 86_400_000 };
    const events = [{ epc: newEpc(), ts: now }, { epc: newEpc(), ts: now }, tooOld, tooOld, { epc: "none" }];
    await ingest.ingestSignedBatches({ batches: [reader.signedBatch(events, { at: new Date(now) })] });
    await tagging.stopProcess(app);
  };
  const rejected = (times: number) => ({
    ...{ READER_TIMESTAMP_OUT_OF_RANGE: 2 * times, VALIDATION_FAILED: times },
  });
  await send();
  expect(await health()).toEqual({ eventsPerMinute: 0.13, rejectedByCode: rejected(1) });
  await send();
  expect(await health()).toEqual({ eventsPerMinute: 0.27, rejectedByCode: rejected(2) });
  now += 14 * 60_000;
  await send();
  expect(await health()).toEqual({ eventsPerMinute: 0.4, rejectedByCode: rejected(3) });
  // 16 minutes after the first ones: their slot is used again.
  now += 2 * 60_000;
  await send();
  expect(await health()).toEqual({ eventsPerMinute: 0.27, rejectedByCode: rejected(2) });
  expect(await stored(workspace, reader)).toMatchObject({ accepted: 8, rejected: 12, rev: 1 });
});
