import { eventually } from "@asset-register/harness";
import { ReaderKind } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { SightingService } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { archiveKinds } from "../../src/domain/archive/archive.ts";
import { restoreDay } from "../../src/operations/archive/restore-day.ts";
import { readsAreStored } from "../stored-reads.ts";
import { startTagging } from "../support.ts";
import { AFTER_DAYS, byId, DAY_MS, oldDay, openDayArchive, rowsOf } from "./day-archive.ts";

/** Its own service: it moves days at its start, and never drops one without files. */
const tagging = await startTagging({
  settings: { ARCHIVE_AFTER_DAYS: String(AFTER_DAYS), EVENT_RETENTION_DAYS: String(AFTER_DAYS) },
});
afterAll(() => tagging.stop());

const MIDDAY = oldDay * DAY_MS + DAY_MS / 2;

test("a worker moves reads and sightings of an old day, and the API lists a restored day as before", async () => {
  const workspace = tagging.newWorkspace();
  // A phone reports no departures later.
  const phone = await workspace.newReader({ kind: ReaderKind.PHONE });
  const { assetId, epc } = await workspace.taggedAsset();
  const read = phone.acceptedEvent(epc, MIDDAY);
  await tagging.inject([{ ...read, antenna: 3, rssi: -61.5 }, phone.acceptedEvent(epc, MIDDAY + 5_000)]);
  await readsAreStored(tagging, workspace, 2);
  const list = async () => ({
    reads: (await tagging.sightings.listReaderReads({ id: phone.id }, workspace.admin)).reads,
    sightings: (await tagging.sightings.listAssetSightings({ id: assetId }, workspace.admin)).sightings,
  });
  const before = await list();
  expect(before.reads).toHaveLength(2);
  expect(before.sightings.length).toBeGreaterThan(0);

  const archive = await openDayArchive(tagging.database);
  // The sweeps run at the start of a worker that holds their lease.
  await tagging.stopProcess(tagging.app);
  const worker = await tagging.start();
  onTestFinished(() => tagging.stopProcess(worker));
  await eventually(async () => {
    for (const kind of archiveKinds) expect(await archive.stored(kind)).toEqual([]);
  });
  const files = await archive.archives.ofDay(oldDay);
  expect(files).toMatchObject([
    { workspaceId: workspace.id, kind: "events", rows: 2 },
    { workspaceId: workspace.id, kind: "sightings", rows: before.sightings.length },
  ]);
  const sightings = tagging.client(SightingService, "gateway", worker);
  const listAgain = async () => ({
    reads: (await sightings.listReaderReads({ id: phone.id }, workspace.admin)).reads,
    sightings: (await sightings.listAssetSightings({ id: assetId }, workspace.admin)).sightings,
  });
  expect(await listAgain()).toEqual({ reads: [], sightings: [] });
  const until = new Date(archive.context.now().getTime() + DAY_MS);
  for await (const _ of restoreDay(archive.context, files, until));
  expect(await listAgain()).toEqual(before);
}, 240_000);

test("a worker that is killed while it writes a file: another one completes the day, no row is lost or doubled, and the rest of the file is removed", async () => {
  const archive = await openDayArchive(tagging.database);
  const day = oldDay - 1;
  const workspaces = Array.from({ length: 10 }, (_, index) => `wsp_killed_${index}`);
  const all = new Map(
    workspaces.map((id, index) => [id, rowsOf.events(id, index === 1 ? 60_000 : 50, day)] as const),
  );
  for (const rows of all.values()) await archive.insert("events", rows, day);
  const worker = await tagging.spawn();
  await eventually(
    async () => {
      expect(
        await archive.files().countDocuments({ workspaceId: workspaces[1], bytes: { $exists: false } }),
      ).toBe(1);
    },
    { everyMs: 5 },
  );
  await worker.kill();
  const complete = await archive.archives.ofDay(day);
  expect(complete.map(({ workspaceId }) => workspaceId)).toEqual([workspaces[0]]);
  await archive.move();
  const files = await archive.archives.ofDay(day);
  expect(files.map(({ workspaceId }) => workspaceId).toSorted()).toEqual(workspaces);
  expect(files.find(({ id }) => id === complete[0]?.id)?.blobId).toBe(complete[0]?.blobId);
  for (const file of files)
    expect(await archive.inFile(file)).toStrictEqual(byId(all.get(file.workspaceId) ?? []));
  expect(await archive.stored("events", day)).toEqual([]);
  const ofKilled = { workspaceId: { $in: workspaces } };
  expect(await archive.files().countDocuments(ofKilled)).toBe(workspaces.length + 1);
  await archive.sweepBlobs();
  expect(await archive.files().countDocuments(ofKilled)).toBe(workspaces.length);
}, 240_000);
