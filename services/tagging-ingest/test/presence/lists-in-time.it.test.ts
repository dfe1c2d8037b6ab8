import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import {
  type AssetSighting,
  DepartureReason,
  SightingChange,
  SightingDirectoryService,
  SightingService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { newId } from "@asset-register/runtime";
import { caller, failure } from "@asset-register/service-harness";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, it, test } from "vitest";
import { listsOfDays } from "../../migrations/0008-lists-of-days.ts";
import type { AcceptedEvent } from "../../src/domain/ingest/accepted-event.ts";
import { createDayCollections, dayOf, nameOfDay } from "../../src/store/day-collections.ts";
import { eventDays } from "../../src/store/ingest/event-log.ts";
import { sightingDays } from "../../src/store/presence/sightings.ts";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import { byCode, byEpc, type Workspace } from "../test-workspace.ts";

/** Its own database: tests drop days, and create them without indexes. */
const tagging = await startTagging();
afterAll(() => tagging.stop());

const DAY_MS = 86_400_000;
const midnight = dayOf(Date.now()) * DAY_MS;
const sightings = tagging.client(SightingService);
const directory = tagging.client(SightingDirectoryService, "notification");
const rows = (name: string) =>
  systemCollection<{ _id: string; workspaceId?: string; [field: string]: unknown }>(tagging.mongo, name);
/** Waits until this many reads of a workspace are stored, and none waits. */
const stored = ({ id: workspaceId }: Workspace, count: number) =>
  eventually(async () => {
    const days = Array.from({ length: 100 }, (_, ago) => nameOfDay(eventDays, dayOf(midnight) + 1 - ago));
    const counts = await Promise.all(days.map((day) => rows(day).countDocuments({ workspaceId })));
    expect(counts.reduce((sum, one) => sum + one)).toBe(count);
    const waiting = { workspaceId, "state.pending.0": { $exists: true } };
    expect(await rows("presences").countDocuments(waiting)).toBe(0);
  });
const span = (from: number, to: number) => ({ from: timestampFromMs(from), to: timestampFromMs(to) });
const timesOf = (list: { at?: AssetSighting["at"] }[]) => list.map(({ at }) => at && timestampMs(at));

/** All pages of a list. */
async function readAll<T>(
  limit: number,
  read: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ items: T[]; nextCursor?: string | undefined }>,
) {
  const pages: T[][] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await read({ limit, ...(cursor !== undefined && { cursor }) });
    pages.push(items);
    if (nextCursor === undefined) return pages;
    cursor = nextCursor;
  }
}

it("the reads of a reader come over days, the newest first, with tag and asset of now, each once on any size of page", async () => {
  const workspace = tagging.newWorkspace();
  const [gate, other] = [await workspace.newGate(["loc_a"]), await workspace.newReader()];
  const { assetId, epc, tagId } = await workspace.taggedAsset();
  const unknown = newEpc();
  const at = midnight - 5 * DAY_MS;
  // Days without reads are between; three reads have the same time; two are on the other side of midnight than the
  // reader's own time, by its corrected clock.
  const reads: AcceptedEvent[] = [
    ...[0, 1_000, 1_000].map((ms, index) => ({ ...gate.acceptedEvent(epc, at + ms), id: `evt_a${index}` })),
    { ...gate.acceptedEvent(unknown, at + 1_000), id: "evt_a9" },
    {
      ...gate.acceptedEvent(epc, at + 3 * DAY_MS + 1_000),
      at: at + 3 * DAY_MS - 2_000,
      rssi: -50,
      antenna: 2,
    },
    { ...gate.acceptedEvent(epc, at + 3 * DAY_MS - 1_000), at: at + 3 * DAY_MS + 4_000 },
    gate.acceptedEvent(epc, at + 3 * DAY_MS + 2_000),
  ].map((event) => ({ ...event, id: `${event.id}${workspace.id}` }));
  await tagging.inject(reads, [other.acceptedEvent(newEpc(), at)]);
  await stored(workspace, reads.length + 1);
  const list = async (page: { limit: number; cursor?: string }) => {
    const { reads: items, nextCursor } = await sightings.listReaderReads(
      { id: gate.id, page },
      workspace.admin,
    );
    return { items, nextCursor };
  };
  const [all] = await readAll(50, list);
  const offsets = [3 * DAY_MS + 4_000, 3 * DAY_MS + 2_000, 3 * DAY_MS - 2_000, 1_000, 1_000, 1_000, 0];
  expect(timesOf(all ?? [])).toEqual(offsets.map((offset) => at + offset));
  expect(all?.[2]).toMatchObject({ readerId: gate.id, epc, tagId, assetId, rssi: -50, antenna: 2, count: 1 });
  expect(all?.filter((one) => one.epc === unknown)).toMatchObject([
    { tagId: expect.stringMatching(/^tag_/) },
  ]);
  for (const limit of [1, 2, 3, 6]) {
    const pages = await readAll(limit, list);
    expect(pages.flat()).toEqual(all);
    expect(pages).toHaveLength(Math.ceil(reads.length / limit));
  }
});

it("the time of a list begins with `from` and ends before `to`", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const at = midnight - DAY_MS;
  const offsets = [-1, 0, 1, DAY_MS - 1, DAY_MS];
  await tagging.inject(offsets.map((ms) => gate.acceptedEvent(newEpc(), at + ms)));
  await stored(workspace, offsets.length);
  const { reads } = await sightings.listReaderReads(
    { id: gate.id, ...span(at, at + DAY_MS) },
    workspace.admin,
  );
  expect(timesOf(reads)).toEqual([DAY_MS - 1, 1, 0].map((ms) => at + ms));
});

it("the reads of a tag are those with any filter bits, by all readers; a tag with a code has none", async () => {
  const workspace = tagging.newWorkspace();
  const [one, two] = [await workspace.newReader(), await workspace.newReader()];
  const assetId = workspace.newAsset();
  const serial = String(Math.floor(Math.random() * 1e9));
  const uri = `urn:epc:id:sgtin:0614141.812345.${serial}`;
  const { tag } = await tagging.tags.commissionTag({ ...byEpc(uri), assetId }, workspace.admin);
  const { tag: label } = await tagging.tags.commissionTag(
    { ...byCode(newId("lbl")), assetId },
    workspace.admin,
  );
  const epc = tag?.epc ?? "";
  // Filter 3.
  const filtered =
    `${epc.slice(0, 2)}${(Number.parseInt(epc[2] ?? "", 16) | 0b0110).toString(16)}${epc.slice(3)}`.toUpperCase();
  expect(filtered).not.toBe(epc);
  const at = midnight - 1_000;
  const readings = [one.acceptedEvent(epc, at), two.acceptedEvent(filtered, at + 2_000)];
  await tagging.inject(...readings.map((event) => [event]), [one.acceptedEvent(newEpc(), at)]);
  await stored(workspace, 3);
  const list = (id = "") => sightings.listTagReads({ id }, workspace.admin);
  const { reads } = await list(tag?.id);
  expect(reads.map(({ epc: code, readerId, tagId }) => [code, readerId, tagId])).toEqual([
    [filtered, two.id, tag?.id],
    [epc, one.id, tag?.id],
  ]);
  const [first] = await readAll(1, async (page) => {
    const { reads: items, nextCursor } = await sightings.listTagReads(
      { id: tag?.id ?? "", page },
      workspace.admin,
    );
    return { items, nextCursor };
  });
  expect(first).toEqual(reads.slice(0, 1));
  expect((await list(label?.id)).reads).toEqual([]);
});

it("the sightings of an asset are those that were published, the newest first; those of the same time by their number", async () => {
  const workspace = tagging.newWorkspace();
  const [a, b] = [await workspace.newGate(["loc_a"]), await workspace.newGate(["loc_b"])];
  const { assetId, epc, tagId } = await workspace.taggedAsset();
  const t = Date.now() - 40_000;
  // A single read at b: it is the place when the tag leaves a.
  await tagging.inject([a.acceptedEvent(epc, t), b.acceptedEvent(epc, t + 1_000)]);
  await stored(workspace, 2);
  for (const gate of [a, b]) await tagging.sendBatch(gate.signedBatch([]));
  const list = async (page: { limit: number; cursor?: string }) => {
    const { sightings: items, nextCursor } = await sightings.listAssetSightings(
      { id: assetId, page },
      workspace.admin,
    );
    return { items, nextCursor };
  };
  const all = await eventually(async () => {
    const { items } = await list({ limit: 50 });
    expect(items.map(({ change }) => change)).toEqual([
      ...[SightingChange.LEFT, SightingChange.MOVED, SightingChange.SEEN, SightingChange.ARRIVED],
    ]);
    return items;
  });
  const [left, moved, seen, arrived] = all;
  expect(arrived).toMatchObject({
    sequence: 1,
    readerId: a.id,
    zoneId: a.zoneId,
    locationId: "loc_a",
    tagId,
    epc,
  });
  expect(seen).toMatchObject({ sequence: 2, unconfirmed: true, zoneId: b.zoneId, reads: 1 });
  expect(moved).toMatchObject({ sequence: 3, fromZoneId: a.zoneId, fromLocationId: "loc_a", directed: true });
  expect(left).toMatchObject({ sequence: 4, fromZoneId: b.zoneId });
  expect([left?.zoneId, left?.reason]).toEqual([undefined, undefined]);
  expect(timesOf(all)).toEqual([t + 1_000, t + 1_000, t + 1_000, t]);
  expect((await readAll(1, list)).flat()).toEqual(all);
  await eventually(() => {
    const published = tagging.recorded.sighting
      .of(assetId)
      .map(({ sequence, message }) => [sequence, message?.sighting?.eventId]);
    expect(published).toEqual(all.toReversed().map(({ sequence, eventId }) => [sequence, eventId]));
  });
  expect(DepartureReason.READER_GONE).toBe(1);
});

it("a batch that comes again, whole, in part or twice in one record, stores no sighting twice", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const { assetId, epc } = await workspace.taggedAsset();
  const t = Date.now() - 200_000;
  const reads = [0, 70_000, 140_000].map((ms) => gate.acceptedEvent(epc, t + ms));
  await tagging.inject([...reads, ...reads]);
  await tagging.inject(reads.slice(1));
  await tagging.inject(reads);
  const last = gate.acceptedEvent(epc, t + 141_000);
  await tagging.inject([last]);
  await stored(workspace, 4);
  const { sightings: found } = await sightings.listAssetSightings({ id: assetId }, workspace.admin);
  expect(found.map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
});

it("sightings of days that have no collection yet are stored, and those of unknown tags too", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newGate(["loc_a"]);
  const { assetId, epc } = await workspace.taggedAsset();
  const unknown = newEpc();
  const days = [80, 40].map((ago) => midnight - ago * DAY_MS);
  for (const day of days)
    expect(
      await rows(nameOfDay(sightingDays, dayOf(day))).countDocuments({ workspaceId: workspace.id }),
    ).toBe(0);
  await tagging.inject(
    days.flatMap((day) => [gate.acceptedEvent(epc, day), gate.acceptedEvent(unknown, day)]),
  );
  await stored(workspace, 4);
  const { sightings: found } = await sightings.listAssetSightings({ id: assetId }, workspace.admin);
  expect(timesOf(found)).toEqual(days.toReversed());
  const ofUnknown = { workspaceId: workspace.id, epc: unknown };
  expect(await rows(nameOfDay(sightingDays, dayOf(days[0] ?? 0))).countDocuments(ofUnknown)).toBe(1);
});

test("an id of another workspace, or of no record, is NOT_FOUND; without view it is forbidden", async () => {
  const [workspace, foreign] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const reader = await foreign.newReader();
  const { assetId, tagId } = await foreign.taggedAsset();
  const lists = [
    [(id: string, by = workspace.admin) => sightings.listAssetSightings({ id }, by), assetId],
    [(id: string, by = workspace.admin) => sightings.listTagReads({ id }, by), tagId],
    [(id: string, by = workspace.admin) => sightings.listReaderReads({ id }, by), reader.id],
  ] as const;
  for (const [list, id] of lists) {
    for (const one of [id, "rdr_none"]) expect(await failure(list(one))).toMatchObject({ kind: "not_found" });
    await list(id, foreign.admin);
    const nobody = caller.user(foreign.id, "devices");
    expect(await failure(list(id, nobody))).toMatchObject({ kind: "forbidden" });
  }
});

test("wrong times and cursors are refused with their field", async () => {
  const workspace = tagging.newWorkspace();
  const [one, two] = [await workspace.newReader(), await workspace.newReader()];
  const at = midnight - DAY_MS;
  await tagging.inject([0, 1, 2].map((ms) => one.acceptedEvent(newEpc(), at + ms)));
  await stored(workspace, 3);
  const list = (request: object, id = one.id) =>
    sightings.listReaderReads({ id, ...request }, workspace.admin);
  const refused = (request: object, id?: string) => failure(list(request, id));
  const on = (field: string) => ({ kind: "invalid", violations: [{ field }] });
  expect(await refused(span(at + 1, at))).toMatchObject(on("from"));
  expect(await refused(span(at, at))).toMatchObject(on("from"));
  expect(await refused(span(at - 90 * DAY_MS - 1, at))).toMatchObject(on("from"));
  await list(span(at - 90 * DAY_MS, at));
  const page = { limit: 1 };
  const { nextCursor: cursor } = await list({ page });
  await list({ page: { limit: 1, cursor } });
  const foreign = tagging.newWorkspace();
  await foreign.newReader();
  const wrong = [
    [{ page: { cursor: "x" } }],
    // Of another record, and of another time.
    [{ page: { cursor } }, two.id],
    [{ page: { cursor }, ...span(at, at + DAY_MS) }],
  ] as const;
  for (const [request, id] of wrong) expect(await refused(request, id)).toMatchObject(on("cursor"));
});

test("a page of a day with many reads is read from the index, one row more than it has", async () => {
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newReader();
  const day = nameOfDay(eventDays, dayOf(midnight) - 20);
  const at = midnight - 20 * DAY_MS;
  await createDayCollections(tagging.mongo, eventDays).prepare([dayOf(at)]);
  const epcs = [newEpc(), newEpc()];
  const documents = Array.from({ length: 3_000 }, (_, index) => ({
    ...{ _id: `evt_${workspace.id}${index}`, workspaceId: workspace.id, readerId: gate.id },
    // Many of the same time.
    ...{
      epc: epcs[index % 2],
      at: new Date(at + Math.floor(index / 500)),
      ts: new Date(at),
      receivedAt: new Date(at),
    },
    count: 1,
  }));
  await rows(day).insertMany(documents);
  const list = async (page: { limit: number; cursor?: string }) => {
    const { reads: items, nextCursor } = await sightings.listReaderReads(
      { id: gate.id, page },
      workspace.admin,
    );
    return { items, nextCursor };
  };
  const pages = await readAll(200, list);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(documents.length);
  const [lastAt, lastId] = [new Date(at + 3), `evt_${workspace.id}1700`];
  const older = [{ at: { $gte: new Date(at), $lt: lastAt } }, { at: -1, _id: -1 }] as const;
  const ties = [{ at: lastAt, _id: { $lt: lastId } }, { _id: -1 }] as const;
  for (const whose of [{ readerId: gate.id }, { epc: { $in: epcs } }]) {
    for (const [range, order] of [older, ties]) {
      const explained = await rows(day)
        .find({ workspaceId: workspace.id, ...whose, ...range })
        .sort(order)
        .limit(11)
        .explain("executionStats");
      const { totalDocsExamined, executionStages } = explained.executionStats;
      // Ranges that are merged look a few documents ahead.
      expect(totalDocsExamined).toBeLessThan(20);
      expect(JSON.stringify(executionStages)).not.toContain('"SORT"');
    }
  }
});

test("the migration gives indexes to the days that exist, and a process to a day that one of the release before has created since", async () => {
  const names = async (day: string) => (await rows(day).indexes()).map(({ name }) => name).sort();
  const workspace = tagging.newWorkspace();
  const gate = await workspace.newReader();
  const [before, since] = [
    nameOfDay(eventDays, dayOf(midnight) - 30),
    nameOfDay(eventDays, dayOf(midnight) - 31),
  ];
  for (const day of [before, since]) {
    await rows(day).insertOne({ _id: `evt_${workspace.id}`, workspaceId: workspace.id });
    expect(await names(day)).toEqual(["_id_"]);
  }
  await rows(eventDays.registry).insertOne({ _id: before });
  await listsOfDays.up(tagging.mongo);
  expect(await names(before)).toEqual(["_id_", "epc", "reader"]);
  expect(await names(since)).toEqual(["_id_"]);
  await tagging.inject([gate.acceptedEvent(newEpc(), midnight - 31 * DAY_MS)]);
  await eventually(async () => expect(await names(since)).toEqual(["_id_", "epc", "reader"]));
});

test("days that are older than the retention are dropped, reads and sightings", async () => {
  const workspace = tagging.newWorkspace();
  // A phone reports no departures later.
  const phone = await workspace.newReader({ kind: ReaderKind.PHONE });
  const { epc } = await workspace.taggedAsset();
  const [kept, gone] = [midnight - 60 * DAY_MS, midnight - 95 * DAY_MS];
  await tagging.inject([phone.acceptedEvent(epc, gone), phone.acceptedEvent(epc, kept)]);
  await stored(workspace, 2);
  const count = (ms: number) =>
    Promise.all(
      [eventDays, sightingDays].map((day) =>
        rows(nameOfDay(day, dayOf(ms))).countDocuments({ workspaceId: workspace.id }),
      ),
    );
  expect([await count(gone), await count(kept)]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  // It drops them at its start.
  await tagging.start({ ROLES: "worker" });
  await eventually(async () => expect(await count(gone)).toEqual([0, 0]));
  expect(await count(kept)).toEqual([1, 1]);
}, 240_000);

it("another service reads all sightings of a workspace in a time, each once on any size of page: by day, then by subject", async () => {
  const [workspace, foreign] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const [gate, other] = [await workspace.newGate(["loc_a"]), await foreign.newGate(["loc_a"])];
  const [first, second] = [await workspace.taggedAsset(), await workspace.taggedAsset()];
  const unknown = newEpc();
  const at = midnight - 3 * DAY_MS + DAY_MS / 2;
  // Read days ago, so each is a sighting of its own.
  const times = [at, at + 3_600_000, at + DAY_MS];
  const epcs = [first.epc, second.epc, unknown];
  for (const epc of epcs) {
    await tagging.inject(
      times.map((time, index) => ({ ...gate.acceptedEvent(epc, time), id: `evt_${epc}_${index}` })),
    );
  }
  await tagging.inject([other.acceptedEvent(newEpc(), at)]);
  await stored(workspace, 9);
  await stored(foreign, 1);
  const read = (limit: number, from: number, to: number) =>
    readAll(limit, async ({ cursor }) => {
      const { sightings: items, nextCursor } = await directory.listSightings({
        ...{ workspaceId: workspace.id, ...span(from, to), limit },
        ...(cursor !== undefined && { cursor }),
      });
      return { items, nextCursor };
    });
  const all = (await read(1_000, at, at + DAY_MS + 1)).flat();
  const subjects = [first.assetId, second.assetId, `${unknown}`].sort();
  const keyOf = (one: (typeof all)[number]) => `${one.assetId ?? one.sighting!.epc}`;
  expect(all.map(keyOf)).toEqual([...subjects.flatMap((one) => [one, one]), ...subjects]);
  for (const { assetId, sighting } of all) {
    expect(sighting!.change === SightingChange.UNSPECIFIED).toBe(assetId === undefined);
  }
  for (const limit of [1, 2, 4]) {
    const pages = await read(limit, at, at + DAY_MS + 1);
    expect(pages.flat()).toEqual(all);
    expect(Math.max(...pages.map((page) => page.length))).toBe(limit);
  }
  // The end is not included.
  expect((await read(1_000, at, at + 3_600_000)).flat()).toHaveLength(3);
  expect((await read(1_000, at + 2 * DAY_MS, at + 3 * DAY_MS)).flat()).toEqual([]);
});
