import { createOutbox } from "@asset-register/events";
import { eventually, testServers } from "@asset-register/harness";
import {
  ReaderHealthReason,
  ReaderHealthState,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { createRedis } from "@asset-register/redis";
import { createLogger } from "@asset-register/runtime";
import { createWorkspaceStore } from "@asset-register/service";
import { failure } from "@asset-register/service-harness";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { judgeReaders } from "../../src/operations/readers/judge-readers.ts";
import { createReaderActivity, type ReaderActivity } from "../../src/operations/readers/reader-activity.ts";
import { takeBaselines } from "../../src/operations/readers/take-baselines.ts";
import { createJudgedReaders } from "../../src/store/readers/judged-readers.ts";
import { createReaderBaselineStore } from "../../src/store/readers/reader-baselines.ts";
import { createReaderHours } from "../../src/store/readers/reader-hours.ts";
import { createReaderLiveness } from "../../src/store/readers/reader-liveness.ts";
import { createReaderStore } from "../../src/store/readers/readers.ts";
import { createSharedActivity } from "../../src/store/readers/shared-activity.ts";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import type { ReaderFields, Workspace } from "../test-workspace.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const { DEGRADED, OK } = ReaderHealthState;
const { BLIND, CLOCK_SKEW, SIGNATURES, REJECTED } = ReaderHealthReason;
/** The beginning of an hour. */
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
let now = hour;
// The tests sweep by themselves. A worker is started where reads are needed.
const tagging = await startTagging({ now: () => new Date(now), settings: { ROLES: "api,relay" } });
const { mongo } = tagging;
const logger = createLogger({ service: "test", level: "silent" });
const redis = createRedis({ url: testServers().redisUrl, timeoutMs: 5_000, logger });
await redis.connect();
afterAll(async () => {
  await tagging.stop();
  redis.disconnect();
});

const context = {
  ...{ mongo, outbox: createOutbox(mongo), logger, now: () => new Date(now) },
  stores: {
    judgedReaders: createJudgedReaders(mongo),
    readers: createReaderStore(mongo),
    readerBaselines: createReaderBaselineStore(mongo),
    readerHours: createReaderHours(mongo),
    readerLiveness: createReaderLiveness(mongo),
    sharedActivity: createSharedActivity(redis),
    workspaces: createWorkspaceStore(mongo),
  },
  properties: {
    async ofLocations(workspaceId: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
      return new Map(Object.entries(tagging.register.propertiesOf(workspaceId, [...ids])));
    },
  },
} as Context;
const { signal } = new AbortController();
const judge = (isBehind = false) => judgeReaders(context, { isBehind: async () => isBehind }, signal);

type Seen = Omit<Parameters<ReaderActivity["note"]>[0], "workspaceId">;

/** Writes what a replica has seen of readers, at the time of the clock. */
async function note({ id: workspaceId }: Workspace, ...all: Seen[]): Promise<void> {
  const replica = createReaderActivity(context, { storeEveryMs: 0 });
  for (const seen of all) replica.note({ workspaceId, ...seen });
  await replica.stop();
}

const heard = (readerId: string, accepted = 0): Seen => ({
  ...{ readerId, at: new Date(now), accepted, rejected: 0 },
});

/** A portal that was registered weeks ago and has read 120 times in each hour since. */
async function oldPortal(workspace: Workspace, weeks: number, fields: ReaderFields = {}) {
  const reader = await workspace.newReader(fields);
  const createdAt = new Date(hour - weeks * 7 * DAY_MS);
  const own = { workspaceId: workspace.id, readerId: reader.id };
  await mongo
    .collection<{ _id: string; workspaceId: string; createdAt: Date }>("readers")
    .updateOne({ workspaceId: workspace.id, _id: reader.id }, { $set: { createdAt } });
  const hours = Array.from({ length: (weeks * 7 * DAY_MS) / HOUR_MS }, (_, index) => {
    const at = new Date(hour - (index + 1) * HOUR_MS);
    return { _id: `${reader.id}:${at.getTime() / HOUR_MS}`, ...own, at, accepted: 120 };
  });
  await mongo
    .collection<{ _id: string; workspaceId: string; readerId: string; at: Date; accepted: number }>(
      "reader_hours",
    )
    .insertMany(hours);
  return reader;
}

const baselineOf = async ({ id }: Workspace, readerId: string) =>
  (await context.stores.readerBaselines.getMany(id, [readerId])).get(readerId);

const healthOf = async ({ admin }: Workspace, id: string) =>
  (await tagging.readers.getReader({ id }, admin)).reader?.health;

it("baselines take the hours that are over once, at most four weeks back, and a young reader has its own hours only", async () => {
  now = hour + 20 * MINUTE_MS;
  const workspace = tagging.newWorkspace();
  const old = await oldPortal(workspace, 5);
  const young = await oldPortal(workspace, 1);
  const never = await workspace.newReader();
  await note(workspace, heard(old.id), heard(young.id));
  await takeBaselines(context, signal);
  const taken = await baselineOf(workspace, old.id);
  expect(taken?.takenUntil).toEqual(new Date(hour));
  expect(new Set(taken?.weeks)).toEqual(new Set([4]));
  expect(new Set(taken?.means.map((mean) => mean.toFixed(6)))).toEqual(new Set(["2.000000"]));
  expect(new Set((await baselineOf(workspace, young.id))?.weeks)).toEqual(new Set([1]));
  expect(await baselineOf(workspace, never.id)).toBeUndefined();
  // Counts of the last hour may still be written for 10 minutes.
  now = hour + HOUR_MS + 9 * MINUTE_MS;
  await Promise.all([takeBaselines(context, signal), takeBaselines(context, signal)]);
  expect(await baselineOf(workspace, old.id)).toEqual(taken);
  now = hour + HOUR_MS + 10 * MINUTE_MS;
  await Promise.all([takeBaselines(context, signal), takeBaselines(context, signal)]);
  await takeBaselines(context, signal);
  const later = await baselineOf(workspace, old.id);
  expect(later?.takenUntil).toEqual(new Date(hour + HOUR_MS));
  // The hour had no read.
  expect(later?.means.filter((mean) => mean < 1.9)).toEqual([expect.closeTo(1.5)]);
});

it("a portal that is heard and reads nothing while the other one of its zone reads is blind, until it reads again; its liveness is published in order", async () => {
  now = hour + 20 * MINUTE_MS;
  const workspace = tagging.newWorkspace();
  const zoneId = await workspace.newZone();
  const blind = await oldPortal(workspace, 3, { zoneId });
  const rival = await oldPortal(workspace, 3, { zoneId });
  const alone = await oldPortal(workspace, 3);
  await note(workspace, heard(blind.id), heard(rival.id), heard(alone.id));
  await takeBaselines(context, signal);
  await judge();
  expect(await healthOf(workspace, blind.id)).toMatchObject({ state: OK, reasons: [] });
  const quarter = async (reads: number) => {
    for (let minute = 0; minute < 15; minute += 1) {
      await note(workspace, heard(blind.id, reads), heard(rival.id, 2), heard(alone.id));
      now += MINUTE_MS;
    }
    await judge();
  };
  await quarter(0);
  const { readers } = await tagging.readers.listReaders({}, workspace.admin);
  const states = readers.map(({ id, health }) => [id, health?.state, health?.reasons]);
  expect(states.sort()).toEqual(
    [
      [blind.id, DEGRADED, [BLIND]],
      [rival.id, OK, []],
      [alone.id, OK, []],
    ].sort(),
  );
  const since = (await healthOf(workspace, blind.id))?.since;
  expect(timestampMs(since!)).toBe(now);
  // Another judgement changes nothing.
  await judge();
  expect((await healthOf(workspace, blind.id))?.since).toEqual(since);
  await quarter(2);
  expect(await healthOf(workspace, blind.id)).toMatchObject({ state: OK, reasons: [] });
  await note(workspace, heard(blind.id));
  await eventually(() => {
    const events = tagging.recorded.readerLiveness.of(blind.id);
    const published = events.map(({ message }) => message?.health?.state);
    // The minutes between two changes carry the same state.
    expect(published[0]).toBeUndefined();
    expect(published.filter((state, at) => state !== published[at - 1])).toEqual([OK, DEGRADED, OK]);
    expect(events.filter(({ message }) => message?.health?.state === DEGRADED).length).toBeGreaterThan(10);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
  });
});

it("rivals are portals with an antenna in a zone of the portal, too; one alone in its zone is judged by those of its property", async () => {
  now = hour + 20 * MINUTE_MS;
  const workspace = tagging.newWorkspace();
  const [zoneId, otherZoneId] = [await workspace.newZone(), await workspace.newZone()];
  for (const locationId of ["loc_a", "loc_b"]) tagging.register.place(workspace.id, locationId, "prp_1");
  tagging.register.place(workspace.id, "loc_far", "prp_2");
  const antennas = [{ antenna: 2, name: "Back", zoneId }];
  const inZone = await oldPortal(workspace, 3, { zoneId });
  const withAntenna = await oldPortal(workspace, 3, { antennas });
  const alone = await oldPortal(workspace, 3, { zoneId: otherZoneId, locationId: "loc_a" });
  const sameProperty = await oldPortal(workspace, 3, { locationId: "loc_b" });
  const far = await oldPortal(workspace, 3, { locationId: "loc_far" });
  const blind = [inZone, alone, far];
  await note(workspace, ...[...blind, withAntenna, sameProperty].map(({ id }) => heard(id)));
  await takeBaselines(context, signal);
  for (let minute = 0; minute < 15; minute += 1) {
    const silent = blind.map(({ id }) => heard(id));
    await note(workspace, ...silent, heard(withAntenna.id, 2), heard(sameProperty.id, 2));
    now += MINUTE_MS;
  }
  await judge();
  expect(await healthOf(workspace, inZone.id)).toMatchObject({ state: DEGRADED, reasons: [BLIND] });
  expect(await healthOf(workspace, alone.id)).toMatchObject({ state: DEGRADED, reasons: [BLIND] });
  expect(await healthOf(workspace, far.id)).toMatchObject({ state: OK });
});

it("a clock that is off, rejected events and wrong signatures are reasons, also of a handheld; a silent reader keeps its health", async () => {
  now = hour + 20 * MINUTE_MS;
  const workspace = tagging.newWorkspace();
  const { id: readerId } = await workspace.newReader();
  const counted = { readerId, accepted: 0, rejected: 21 };
  await note(
    workspace,
    { ...heard(readerId, 20), skewMs: -20_000 },
    { ...counted, codes: { VALIDATION_FAILED: 21 } },
    { ...counted, rejected: 0, codes: { READER_SIGNATURE_INVALID: 60 } },
  );
  now += MINUTE_MS;
  await judge();
  const reasons = [CLOCK_SKEW, SIGNATURES, REJECTED];
  expect(await healthOf(workspace, readerId)).toMatchObject({ state: DEGRADED, reasons });
  now += HOUR_MS;
  await judge();
  expect(await healthOf(workspace, readerId)).toMatchObject({ state: DEGRADED, reasons });
  await note(workspace, { ...heard(readerId), skewMs: 0 });
  await judge();
  expect(await healthOf(workspace, readerId)).toMatchObject({ state: OK, reasons: [] });
});

it("reads of a reference tag are counted, and neither stored nor seen; without one for 15 minutes the reader is blind", async () => {
  now = hour + 20 * MINUTE_MS;
  const worker = await tagging.start({ ROLES: "worker" });
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader();
  const [reference, other] = [newEpc(), newEpc()];
  const change = { id: reader.id, referenceEpcs: [reference.toLowerCase(), reference] };
  const paths = ["reference_epcs"];
  const { reader: changed } = await tagging.readers.updateReader(
    { reader: change, updateMask: { paths } },
    workspace.admin,
  );
  expect(changed?.referenceEpcs).toEqual([reference]);
  await note(workspace, heard(reader.id));
  // They could not be read for 15 minutes yet.
  await judge();
  expect(await healthOf(workspace, reader.id)).toMatchObject({ state: OK });
  now += 16 * MINUTE_MS;
  await note(workspace, heard(reader.id));
  await judge(true);
  expect(await healthOf(workspace, reader.id)).toMatchObject({ state: OK });
  await judge();
  expect(await healthOf(workspace, reader.id)).toMatchObject({ state: DEGRADED, reasons: [BLIND] });
  await tagging.inject([reader.acceptedEvent(reference, now)], [reader.acceptedEvent(other, now)]);
  const find = async () => {
    const { ignoredByReason } = await tagging.readers.getReader({ id: reader.id }, workspace.admin);
    const { tags } = await tagging.tags.listTags({ assigned: false }, workspace.admin);
    const { reads } = await tagging.sightings.listReaderReads({ id: reader.id }, workspace.admin);
    return [ignoredByReason, tags.map(({ epc }) => epc), reads.map(({ epc }) => epc)];
  };
  await eventually(async () => {
    // A tag waits for the time of the partition, which the clock of this test gives.
    now += 1_000;
    expect(await find()).toEqual([{ reference: 1 }, [other], [other]]);
  });
  await judge();
  expect(await healthOf(workspace, reader.id)).toMatchObject({ state: OK, reasons: [] });
  await tagging.stopProcess(worker);
});

it("reference tags are EPCs, at most 20, and are audited", async () => {
  const workspace = tagging.newWorkspace();
  const { id } = await workspace.newReader({ referenceEpcs: ["urn:epc:id:sgtin:0614141.112345.400"] });
  const { reader } = await tagging.readers.getReader({ id }, workspace.admin);
  expect(reader?.referenceEpcs).toHaveLength(1);
  const set = (referenceEpcs: string[]) =>
    tagging.readers.updateReader(
      { reader: { id, referenceEpcs }, updateMask: { paths: ["reference_epcs"] } },
      workspace.admin,
    );
  const fields = async (epcs: string[]) => (await failure(set(epcs)))!.violations.map(({ field }) => field);
  expect(await fields(["E280", "gate"])).toEqual(["reference_epcs.1"]);
  expect(await fields(Array.from({ length: 21 }, newEpc))).toEqual(["reference_epcs"]);
  await set(["E280"]);
  await eventually(() =>
    expect(tagging.auditEntries(workspace.id).map(({ changes }) => changes)).toContainEqual({
      reference_epcs: [reader?.referenceEpcs.join(), "E280"],
    }),
  );
});
