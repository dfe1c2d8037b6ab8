import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, it, test } from "vitest";
import { listsOfDays } from "../../migrations/0008-lists-of-days.ts";
import { dayOf } from "../../src/domain/utc-day.ts";
import { createDayCollections, nameOfDay } from "../../src/store/day-collections.ts";
import { eventDays } from "../../src/store/ingest/event-log.ts";
import { sightingDays } from "../../src/store/presence/sightings.ts";
import { readAll } from "../read-all.ts";
import { readsAreStored } from "../stored-reads.ts";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";

/** Its own database: tests drop days, and create them without indexes. */
const tagging = await startTagging();
afterAll(() => tagging.stop());

const DAY_MS = 86_400_000;
const midnight = dayOf(Date.now()) * DAY_MS;
const rows = (name: string) =>
  systemCollection<{ _id: string; workspaceId?: string; [field: string]: unknown }>(tagging.mongo, name);

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
  await readsAreStored(tagging, workspace, 4);
  const { sightings: found } = await tagging.sightings.listAssetSightings({ id: assetId }, workspace.admin);
  expect(found.map(({ at }) => at && timestampMs(at))).toEqual(days.toReversed());
  const ofUnknown = { workspaceId: workspace.id, epc: unknown };
  expect(await rows(nameOfDay(sightingDays, dayOf(days[0] ?? 0))).countDocuments(ofUnknown)).toBe(1);
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
    const { reads: items, nextCursor } = await tagging.sightings.listReaderReads(
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
  await readsAreStored(tagging, workspace, 2);
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
