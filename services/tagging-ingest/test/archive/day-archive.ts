import { blobMigration, createBlobSweep, createBlobs } from "@asset-register/blobs";
import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo, migrate } from "@asset-register/mongo";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { openProfiler } from "@asset-register/service-harness";
import { onTestFinished } from "vitest";
import { archives as archivesMigration } from "../../migrations/0014-archives.ts";
import type { Archive, ArchiveKind } from "../../src/domain/archive/archive.ts";
import { dayOf } from "../../src/domain/utc-day.ts";
import { createDayMover } from "../../src/operations/archive/move-days.ts";
import { readRows } from "../../src/operations/archive/read-archive.ts";
import { createArchiveStore } from "../../src/store/archive/archives.ts";
import { createDayRows } from "../../src/store/archive/day-rows.ts";
import type { ArchivedRow } from "../../src/store/archive/row-lines.ts";
import { type DayRecords, nameOfDay } from "../../src/store/day-collections.ts";
import { eventDays } from "../../src/store/ingest/event-log.ts";
import { sightingDays } from "../../src/store/presence/sightings.ts";

export const DAY_MS = 86_400_000;
export const AFTER_DAYS = 30;
const logger = createLogger({ service: "archive-test", level: "silent" });

/** A day that is to be moved. */
export const oldDay = dayOf(Date.now()) - AFTER_DAYS - 5;
export const days: Record<ArchiveKind, DayRecords> = { events: eventDays, sightings: sightingDays };

/** Rows of a workspace in a day, as the worker stores them. Some have no optional fields. */
export const rowsOf: Record<
  ArchiveKind,
  (workspaceId: string, count: number, day?: number) => ArchivedRow[]
> = {
  events: (workspaceId, count, day = oldDay) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ _id: newId("evt"), workspaceId, readerId: `rdr_${index % 3}`, epc: `30340000${index}` },
      ts: new Date(day * DAY_MS + index),
      at: new Date(day * DAY_MS + index + 2),
      receivedAt: new Date(day * DAY_MS + index + 500),
      ...(index % 2 === 0 && { antenna: 2, rssi: -61.5 }),
      count: index + 1,
      ...(index % 3 === 0 && { late: true }),
    })),
  sightings: (workspaceId, count, day = oldDay) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ _id: `${workspaceId}:ast_${index}:${newId("x")}`, workspaceId, assetId: `ast_${index}` },
      ...{
        change: "moved",
        readerId: "rdr_1",
        eventId: `evt_${index}`,
        epc: `3034${index}`,
        sequence: index,
      },
      ...{ at: new Date(day * DAY_MS + index), receivedAt: new Date(day * DAY_MS + index + 500) },
      ...{ directed: index % 2 === 0, reads: 3 },
      ...(index % 2 === 0 && { clone: { reads: [{ at: 1 }, { at: 2 }], travelSeconds: 60 } }),
    })),
};

type FileRow = { _id: string; workspaceId: string; bytes?: number };

/** The database of tagging-ingest with the parts of its archive, and a clock that the test moves. */
export async function openDayArchive(database = freshDatabase()) {
  const mongo = await connectMongo({ url: testServers().mongoUrl, database, logger });
  onTestFinished(() => mongo.close());
  // Its collections are not guarded.
  const profiler = await openProfiler(database);
  onTestFinished(() => profiler.close());
  await migrate(mongo, [blobMigration, archivesMigration], logger);
  let at = Date.now();
  const now = () => new Date(at);
  const blobs = await createBlobs({ mongo, now });
  const archives = createArchiveStore(mongo);
  const stores = { archives, dayRows: createDayRows(mongo) };
  const metrics = createMetrics({ service: "test" });
  const context = { stores, blobs, now, logger, metrics };
  const collection = (kind: ArchiveKind, day = oldDay) =>
    profiler.db.collection<ArchivedRow>(nameOfDay(days[kind], day));
  const files = () => profiler.db.collection<FileRow>("files");
  return {
    ...{ mongo, database, profiler, context, archives, collection, files },
    /** Moves the clock. */
    wait(ms: number): void {
      at += ms;
    },
    async insert(kind: ArchiveKind, rows: readonly ArchivedRow[], day = oldDay): Promise<void> {
      await stores.dayRows.days[kind].prepare([day]);
      await collection(kind, day).insertMany([...rows]);
    },
    /** The rows of the collection of a day. */
    stored: (kind: ArchiveKind, day = oldDay) => collection(kind, day).find().sort({ _id: 1 }).toArray(),
    /** Moves what is due, as the sweep does. */
    move: (more: Partial<typeof context> = {}) =>
      createDayMover(
        { ...context, metrics: createMetrics({ service: "test" }), ...more },
        {
          afterDays: AFTER_DAYS,
        },
      )(new AbortController().signal),
    /** The rows of a file, in the order of their ids. */
    async inFile(archive: Archive | undefined): Promise<ArchivedRow[]> {
      if (archive === undefined) return [];
      const rows: ArchivedRow[] = [];
      for await (const row of readRows(context, archive)) rows.push(row);
      return byId(rows);
    },
    /** Removes the content to which no record refers, as the sweep does an hour later. */
    async sweepBlobs(): Promise<void> {
      at += DAY_MS;
      await createBlobSweep({ ...context, mongo, referenced: archives.referencedBlobs }).run();
    },
  };
}

export const byId = (rows: readonly ArchivedRow[]): ArchivedRow[] =>
  rows.toSorted((a, b) => (a._id < b._id ? -1 : 1));
