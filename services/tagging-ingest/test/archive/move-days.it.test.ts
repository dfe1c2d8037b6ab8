import { Readable } from "node:stream";
import { createMetrics } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { archiveId, archiveKinds } from "../../src/domain/archive/archive.ts";
import { removeArchives } from "../../src/operations/archive/remove-archives.ts";
import { compareRows } from "../../src/store/archive/day-rows.ts";
import { createDayCollections } from "../../src/store/day-collections.ts";
import { eventDays } from "../../src/store/ingest/event-log.ts";
import { AFTER_DAYS, byId, DAY_MS, oldDay, openDayArchive, rowsOf } from "./day-archive.ts";

const [first, second] = ["wsp_a", "wsp_b"];
const { signal } = new AbortController();

test.each(archiveKinds)(
  "a day of %s moves to one file for each workspace, with its rows only and as they were stored",
  async (kind) => {
    const archive = await openDayArchive();
    const [ofFirst, ofSecond] = [rowsOf[kind](first, 2_500), rowsOf[kind](second, 3)];
    await archive.insert(kind, [...ofSecond, ...ofFirst]);
    await archive.move();
    const files = await archive.archives.ofDay(oldDay);
    expect(files).toMatchObject([
      { workspaceId: first, kind, rows: 2_500 },
      { workspaceId: second, kind, rows: 3 },
    ]);
    expect(await archive.inFile(files[0])).toStrictEqual(byId(ofFirst));
    expect(await archive.inFile(files[1])).toStrictEqual(byId(ofSecond));
    expect(await archive.stored(kind)).toEqual([]);
    expect(await archive.context.stores.dayRows.days[kind].partsBetween(new Date(0), new Date())).toEqual([]);
  },
);

test("only days that ended so many days ago are moved, and an empty one is dropped", async () => {
  const archive = await openDayArchive();
  const youngest = oldDay + 5;
  for (const day of [youngest, youngest - 1])
    await archive.insert("events", rowsOf.events(first, 2, day), day);
  await archive.context.stores.dayRows.days.sightings.prepare([youngest - 1]);
  await archive.move();
  expect((await archive.archives.listOf(first)).map(({ day, kind }) => ({ day, kind }))).toEqual([
    { day: youngest - 1, kind: "events" },
  ]);
  expect(await archive.stored("events", youngest)).toHaveLength(2);
  archive.wait(DAY_MS);
  await archive.move();
  expect(await archive.archives.listOf(first)).toHaveLength(2);
});

test("two workers at once: each file is there once, and has each row once", async () => {
  const archive = await openDayArchive();
  const rows = new Map(
    ["wsp_a", "wsp_b", "wsp_c", "wsp_d"].map((id) => [id, rowsOf.events(id, 700)] as const),
  );
  await archive.insert("events", [...rows.values()].flat());
  await Promise.all([archive.move(), archive.move()]);
  // A worker that lost the race for a file leaves the day to the next sweep.
  await archive.move();
  const files = await archive.archives.ofDay(oldDay);
  expect(files.map(({ workspaceId }) => workspaceId).toSorted()).toEqual([...rows.keys()]);
  for (const file of files)
    expect(await archive.inFile(file)).toStrictEqual(byId(rows.get(file.workspaceId) ?? []));
  expect(await archive.stored("events")).toEqual([]);
  expect(await archive.files().countDocuments()).toBe(4);
});

test("rows that come for a day that was moved are added to its file, also when they are as many as before", async () => {
  const archive = await openDayArchive();
  const [early, late] = [rowsOf.events(first, 2), rowsOf.events(first, 2)];
  await archive.insert("events", [...early, ...rowsOf.events(second, 1)]);
  await archive.move();
  const before = await archive.archives.ofDay(oldDay);
  const repeated = early.slice(0, 1);
  await archive.insert("events", [...late.slice(0, 1), ...repeated]);
  await archive.move();
  const [file, other] = await archive.archives.ofDay(oldDay);
  expect(file?.rows).toBe(3);
  expect(await archive.inFile(file)).toStrictEqual(byId([...early, ...late.slice(0, 1)]));
  expect(other).toEqual(before[1]);
  expect(await archive.stored("events")).toEqual([]);
  // The replaced file is removed.
  expect(await archive.files().countDocuments()).toBe(2);
});

test("a process that has stored rows of a day, which another one has moved since, can store further ones", async () => {
  const archive = await openDayArchive();
  const worker = createDayCollections(archive.mongo, eventDays);
  // It has no newer rows.
  await worker.prepare([oldDay]);
  await archive.insert("events", rowsOf.events(first, 2));
  await archive.move();
  const found = () => worker.partsBetween(new Date(oldDay * DAY_MS), new Date((oldDay + 1) * DAY_MS));
  expect(await found()).toEqual([]);
  await worker.prepare([oldDay]);
  expect(await found()).toHaveLength(1);
  expect(await archive.collection("events").indexes()).toHaveLength(3);
});

test("a file that is not as it was written does not count: the day stays, and the next sweep writes it again", async () => {
  const archive = await openDayArchive();
  const rows = rowsOf.events(first, 500);
  await archive.insert("events", rows);
  const { blobs } = archive.context;
  const metrics = createMetrics({ service: "test" });
  const losing: typeof blobs = {
    ...blobs,
    putFor: (workspaceId, content, save) =>
      blobs.putFor(workspaceId, content, async (blob, renew) => {
        await archive.mongo.collection("chunks").deleteMany({ workspaceId, fileId: blob.id });
        return save(blob, renew);
      }),
  };
  await archive.move({ blobs: losing, metrics });
  expect(await archive.archives.ofDay(oldDay)).toEqual([]);
  expect(await archive.stored("events")).toHaveLength(500);
  const measured = await metrics.registry.metrics();
  expect(measured).toMatch(/archive_failures_total\{[^}]*kind="events"[^}]*\} 1/);
  const [, waiting] = /archive_oldest_waiting_seconds\{.*\} (\d+)/.exec(measured) ?? [];
  expect(Math.floor(Number(waiting) / 86_400)).toBe(4);
  await archive.sweepBlobs();
  expect(await archive.files().countDocuments()).toBe(0);
  await archive.move();
  expect(await archive.inFile((await archive.archives.ofDay(oldDay))[0])).toStrictEqual(byId(rows));
});

test("a row that cannot be restored from its line stays in the database, and does not block other workspaces", async () => {
  const archive = await openDayArchive();
  const [wrong = expect.fail("no row")] = rowsOf.events(first, 1);
  await archive.insert("events", [{ ...wrong, receivedAt: "yesterday" }, ...rowsOf.events(second, 2)]);
  await archive.move();
  expect(await archive.archives.ofDay(oldDay)).toMatchObject([{ workspaceId: second, rows: 2 }]);
  expect(await archive.stored("events")).toHaveLength(3);
});

test("a file that the sweep of blobs removes while it is read again gets no record, and the day stays", async () => {
  const archive = await openDayArchive();
  await archive.insert("events", rowsOf.events(first, 20));
  const { blobs } = archive.context;
  const swept: typeof blobs = {
    ...blobs,
    open: async (workspaceId, id, from) => {
      const opened = await blobs.open(workspaceId, id, from);
      if (opened === undefined) return undefined;
      // As S3, which still delivers the object to an open request.
      const chunks = await Readable.from(opened.content).toArray();
      await archive.sweepBlobs();
      return { ...opened, content: Readable.from(chunks) };
    },
  };
  await archive.move({ blobs: swept });
  expect(await archive.archives.ofDay(oldDay)).toEqual([]);
  expect(await archive.files().countDocuments()).toBe(0);
  expect(await archive.stored("events")).toHaveLength(20);
});

test("rows are read on in their order when the database has closed the cursor, as it does after 10 idle minutes", async () => {
  const archive = await openDayArchive();
  const { client } = archive.profiler.db;
  for (const kind of archiveKinds) {
    const rows = rowsOf[kind](first, 2_500);
    await archive.insert(kind, [...rows, ...rowsOf[kind](second, 2)]);
    const { collectionName } = archive.collection(kind);
    const open = client
      .db("admin")
      .aggregate([
        { $currentOp: { allUsers: true, idleCursors: true } },
        { $match: { type: "idleCursor", ns: `${archive.database}.${collectionName}` } },
      ]);
    const found: typeof rows = [];
    for await (const row of archive.context.stores.dayRows.read({ workspaceId: first, kind, day: oldDay })) {
      if (found.length === 0) {
        const cursors = (await open.toArray()).map(({ cursor }) => cursor.cursorId);
        expect(cursors).toHaveLength(1);
        await archive.profiler.db.command({ killCursors: collectionName, cursors });
      }
      found.push(row);
    }
    expect(found).toStrictEqual(rows.toSorted(compareRows(kind)));
  }
});

test("files are removed with their content when their days are older than ARCHIVE_KEEP_DAYS", async () => {
  const archive = await openDayArchive();
  for (const day of [oldDay - 1, oldDay]) await archive.insert("events", rowsOf.events(first, 2, day), day);
  await archive.move();
  expect(await removeArchives(archive.context, AFTER_DAYS + 5, signal)).toBe(1);
  expect((await archive.archives.listOf(first)).map(({ id }) => id)).toEqual([
    archiveId({ workspaceId: first, kind: "events", day: oldDay }),
  ]);
  expect(await archive.files().countDocuments()).toBe(1);
  expect(await archive.mongo.collection("chunks").countDocuments({ workspaceId: first })).toBe(1);
});

test("a file is read from an index in its order, one row for each row of the file", async () => {
  const archive = await openDayArchive();
  const collections = archiveKinds.map((kind) => archive.collection(kind).collectionName);
  for (const kind of archiveKinds)
    await archive.insert(kind, [...rowsOf[kind](first, 1_500), ...rowsOf[kind](second, 20)]);
  const operations = await archive.profiler.operationsOf(collections, () => archive.move());
  expect(operations.length).toBeGreaterThan(10);
  for (const { docsExamined, nreturned = 0, hasSortStage } of operations) {
    expect(hasSortStage ?? false).toBe(false);
    expect(docsExamined).toBeLessThanOrEqual(Math.max(nreturned, 1));
  }
});
