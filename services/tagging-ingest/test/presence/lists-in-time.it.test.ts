import { eventually } from "@asset-register/harness";
import {
  type AssetSighting,
  DepartureReason,
  SightingChange,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { newId } from "@asset-register/runtime";
import { caller, failure } from "@asset-register/service-harness";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { expect, it, test } from "vitest";
import type { AcceptedEvent } from "../../src/domain/ingest/accepted-event.ts";
import { dayOf } from "../../src/domain/utc-day.ts";
import { readAll } from "../read-all.ts";
import { readsAreStored } from "../stored-reads.ts";
import { sharedTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import { byCode, byEpc, type Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();

const DAY_MS = 86_400_000;
const midnight = dayOf(Date.now()) * DAY_MS;
const { sightings } = tagging;
const stored = (workspace: Workspace, count: number) => readsAreStored(tagging, workspace, count);
const span = (from: number, to: number) => ({ from: timestampFromMs(from), to: timestampFromMs(to) });
const timesOf = (list: { at?: AssetSighting["at"] }[]) => list.map(({ at }) => at && timestampMs(at));

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
