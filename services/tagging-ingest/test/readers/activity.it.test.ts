import { createOutbox } from "@asset-register/events";
import { testServers } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { ActivityStep } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { createRedis } from "@asset-register/redis";
import { createLogger } from "@asset-register/runtime";
import { caller, codeOf, failure } from "@asset-register/service-harness";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { createReaderActivity } from "../../src/operations/readers/reader-activity.ts";
import { createReaderHours } from "../../src/store/readers/reader-hours.ts";
import { createReaderLiveness } from "../../src/store/readers/reader-liveness.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { createSharedActivity } from "../../src/store/readers/shared-activity.ts";
import { startTagging } from "../support.ts";
import { newEpc, type SignedBatch } from "../test-reader.ts";
import type { Workspace } from "../test-workspace.ts";

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** The clock of the service is at the beginning of an hour, so that a test knows its steps. */
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
let now = hour;
const tagging = await startTagging({ now: () => new Date(now) });
const logger = createLogger({ service: "test", level: "silent" });
const redis = createRedis({ url: testServers().redisUrl, timeoutMs: 5_000, logger });
await redis.connect();
afterAll(async () => {
  await tagging.stop();
  redis.disconnect();
});

const hours = createReaderHours(tagging.mongo);

/** Collects activity as a replica does, and writes it when it stops. */
function newReplica({ add = hours.add } = {}) {
  const { mongo } = tagging;
  return createReaderActivity(
    {
      ...{ mongo, outbox: createOutbox(mongo), logger, now: () => new Date(now) },
      stores: {
        readers: createReaderStore(mongo),
        readerHours: { add },
        readerLiveness: createReaderLiveness(mongo),
        sharedActivity: createSharedActivity(redis),
      },
    } as Context,
    { storeEveryMs: 0 },
  );
}

type Asked = { from?: number; to?: number; step?: ActivityStep };

/** The steps of a reader as [offset in the hour, accepted, rejected, duplicate]. */
async function stepsOf({ admin }: Workspace, id: string, { from, to, step }: Asked = {}) {
  const { steps } = await tagging.readers.listReaderActivity(
    {
      ...{ id, step: step ?? ActivityStep.MINUTE },
      ...(from !== undefined && { from: timestampFromMs(from) }),
      ...(to !== undefined && { to: timestampFromMs(to) }),
    },
    admin,
  );
  return steps.map(({ at, accepted, rejected, duplicate }) => [
    at && timestampMs(at) - hour,
    accepted,
    rejected,
    duplicate,
  ]);
}

const countersOf = async (workspace: Workspace, id: string) => {
  const { accepted = 0, rejected = 0 } = (await createReaderStore(tagging.mongo).get(workspace.id, id)) ?? {};
  return { accepted, rejected };
};

it("events are counted by minute and hour of their receipt; accepted ones and repeats together are the reader's counter", async () => {
  now = hour;
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const repeated = reader.signedEvent(newEpc(), new Date(now));
  const send = async (nonce: string) => {
    const app = await tagging.start({ ROLES: "api" });
    const ingest = tagging.client(IngestService, "gateway", app);
    const events = [{ epc: newEpc(), ts: now }, { epc: newEpc(), ts: now }, { epc: "none" }];
    const batch = reader.signedBatch(events, { at: new Date(now), nonce });
    await ingest.ingestSignedBatches({ batches: [batch] });
    // The same request again: two repeats, and one that is rejected again.
    await ingest.ingestSignedBatches({ batches: [batch] });
    await ingest.ingestSignedEvents({ events: [repeated] });
    // It writes what it has counted when it stops.
    await tagging.stopProcess(app);
  };
  await send("n-activity-1");
  now = hour + 2 * MINUTE_MS + 59_999;
  await send("n-activity-2");
  const minutes = [
    [0, 3, 2, 2],
    [2 * MINUTE_MS, 2, 2, 3],
  ];
  now = hour + 10 * MINUTE_MS;
  expect(await stepsOf(workspace, reader.id)).toEqual(minutes);
  expect(await stepsOf(workspace, reader.id, { step: ActivityStep.HOUR })).toEqual([[0, 5, 4, 5]]);
  expect(await countersOf(workspace, reader.id)).toEqual({ accepted: 10, rejected: 4 });
  // From the step that contains `from`, and before `to`.
  const between = (from: number, to: number) =>
    stepsOf(workspace, reader.id, { from: hour + from, to: hour + to });
  expect(await between(MINUTE_MS, 10 * MINUTE_MS)).toEqual(minutes.slice(1));
  expect(await between(2 * MINUTE_MS + 30_000, 10 * MINUTE_MS)).toEqual(minutes.slice(1));
  expect(await between(3 * MINUTE_MS, 10 * MINUTE_MS)).toEqual([]);
  expect(await between(0, 2 * MINUTE_MS)).toEqual(minutes.slice(0, 1));
});

it("a wrong signature is counted by its code and in a metric, never in the rejected events of the reader that it names", async () => {
  now = hour;
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const app = await tagging.start({ ROLES: "api" });
  const ingest = tagging.client(IngestService, "gateway", app);
  const [batch, invalid] = [{ epc: newEpc(), ts: now }, { epc: "none" }].map((read) =>
    reader.signedBatch([read], { at: new Date(now) }),
  ) as [SignedBatch, SignedBatch];
  const event = reader.signedEvent(newEpc(), new Date(now));
  const signature = "0".repeat(64);
  await ingest.ingestSignedBatches({ batches: [{ ...batch, signature: `v1=${signature}` }] });
  await ingest.ingestSignedEvents({ events: [{ ...event, signature }] });
  await ingest.ingestSignedBatches({ batches: [batch, invalid] });
  const metrics = await fetch(`http://127.0.0.1:${app.ports.health}/metrics`);
  expect(await metrics.text()).toMatch(/^wrong_signatures_total[{].*[}] 2$/m);
  await tagging.stopProcess(app);
  expect(await countersOf(workspace, reader.id)).toEqual({ accepted: 1, rejected: 1 });
  expect(await stepsOf(workspace, reader.id, { to: hour + HOUR_MS })).toEqual([[0, 1, 1, 0]]);
  expect(await tagging.readers.getReader({ id: reader.id }, workspace.admin)).toMatchObject({
    rejectedByCode: { READER_SIGNATURE_INVALID: 2, VALIDATION_FAILED: 1 },
  });
});

it("several replicas add to the same steps, also at the same time", async () => {
  now = hour;
  const workspace = tagging.newWorkspace();
  const fleet = await Promise.all([1, 2, 3].map(() => workspace.newReader()));
  const replicas = [newReplica(), newReplica(), newReplica()];
  for (let write = 0; write < 3; write += 1) {
    for (const { note } of replicas) {
      for (const { id: readerId } of fleet) {
        const codes = { VALIDATION_FAILED: 1 };
        note({ workspaceId: workspace.id, readerId, accepted: 4, duplicate: 1, rejected: 1, codes });
      }
    }
    await Promise.all(replicas.map(({ stop }) => stop()));
    now += MINUTE_MS;
  }
  for (const { id } of fleet) {
    expect(await stepsOf(workspace, id)).toEqual([0, 1, 2].map((minute) => [minute * MINUTE_MS, 9, 3, 3]));
    expect(await countersOf(workspace, id)).toEqual({ accepted: 36, rejected: 9 });
  }
});

it("what could not be written is in neither the counters nor the steps, and later in both once", async () => {
  now = hour;
  const workspace = tagging.newWorkspace();
  const { id: readerId } = await workspace.newReader();
  let failing = true;
  const replica = newReplica({
    async add(activities, session) {
      await hours.add(activities, session);
      if (failing) throw new Error("fails after the write");
    },
  });
  replica.note({ workspaceId: workspace.id, readerId, accepted: 3, duplicate: 1, rejected: 0 });
  await replica.stop();
  expect(await stepsOf(workspace, readerId, { to: hour + HOUR_MS })).toEqual([]);
  expect(await countersOf(workspace, readerId)).toEqual({ accepted: 0, rejected: 0 });
  failing = false;
  await replica.stop();
  await replica.stop();
  expect(await stepsOf(workspace, readerId, { to: hour + HOUR_MS })).toEqual([[0, 2, 0, 1]]);
  expect(await countersOf(workspace, readerId)).toEqual({ accepted: 3, rejected: 0 });
});

it("minutes are removed after 48 hours, hours stay for 90 days", async () => {
  now = hour;
  const workspace = tagging.newWorkspace();
  const { id: readerId } = await workspace.newReader();
  const replica = newReplica();
  for (const minute of [0, 61]) {
    now = hour + minute * MINUTE_MS;
    replica.note({ workspaceId: workspace.id, readerId, accepted: 1, rejected: 0 });
    await replica.stop();
  }
  const day = { from: hour, to: hour + 24 * HOUR_MS };
  await hours.dropMinutes(new Date(hour + 49 * HOUR_MS - 1));
  expect(await stepsOf(workspace, readerId, day)).toHaveLength(2);
  await hours.dropMinutes(new Date(hour + 49 * HOUR_MS));
  expect(await stepsOf(workspace, readerId, day)).toEqual([[61 * MINUTE_MS, 1, 0, 0]]);
  expect(await stepsOf(workspace, readerId, { ...day, step: ActivityStep.HOUR })).toEqual([
    [0, 1, 0, 0],
    [HOUR_MS, 1, 0, 0],
  ]);
  const rows = tagging.mongo.collection<{ _id: string; workspaceId: string; expiresAt: Date }>(
    "reader_hours",
  );
  const found = await rows.find({ workspaceId: workspace.id }).toArray();
  for (const { expiresAt } of found) {
    const days = (expiresAt.getTime() - hour) / (24 * HOUR_MS);
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThanOrEqual(91 + 1 / 24);
  }
  const indexes = await systemCollection(tagging.mongo, "reader_hours").indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
});

it("the steps of a reader are a range of an index: 31 days are 744 rows at most", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  const rows = tagging.mongo.collection<{ _id: string; workspaceId: string; readerId: string; at: Date }>(
    "reader_hours",
  );
  const hoursOf = (readerId: string) =>
    Array.from({ length: 50 }, (_, index) => ({
      ...{ _id: `${readerId}${workspaceId}:${index}`, workspaceId, readerId },
      at: new Date(hour - index * HOUR_MS),
    }));
  await rows.insertMany([...hoursOf("rdr_1"), ...hoursOf("rdr_2")]);
  const at = { $gte: new Date(hour - 9 * HOUR_MS), $lt: new Date(hour + 1) };
  const explained = await rows
    .find({ workspaceId, readerId: "rdr_1", at })
    .sort({ at: 1 })
    .explain("executionStats");
  const { executionStats } = explained as unknown as { executionStats: { totalKeysExamined: number } };
  expect(JSON.stringify(executionStats)).not.toContain('"SORT"');
  expect(executionStats.totalKeysExamined).toBe(10);
});

it("the activity of a reader needs the capability devices, is NOT_FOUND in another workspace, and has limits", async () => {
  now = hour;
  const workspace = tagging.newWorkspace();
  const { id } = await workspace.newReader();
  const ask = (request: object, by = workspace.admin) =>
    failure(tagging.readers.listReaderActivity({ id, ...request }, by));
  expect(await ask({}, caller.user(workspace.id, "view"))).toMatchObject({ code: "FORBIDDEN" });
  expect(await ask({}, tagging.newWorkspace().admin)).toMatchObject({ code: "NOT_FOUND" });
  expect(await codeOf(tagging.readers.listReaderActivity({ id }, caller.user(workspace.id, "devices")))).toBe(
    undefined,
  );
  const invalid = { code: "VALIDATION_FAILED", violations: [{ field: "from" }] };
  expect(await ask({ from: timestampFromMs(hour) })).toMatchObject(invalid);
  const tooLong = timestampFromMs(hour - 31 * 24 * HOUR_MS - 1);
  expect(await ask({ step: ActivityStep.HOUR, from: tooLong })).toMatchObject(invalid);
  expect(await ask({ step: 9 })).toMatchObject({ violations: [{ field: "step" }] });
});
