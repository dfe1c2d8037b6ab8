import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ArchiveKind, ArchivePart } from "../../domain/archive/archive.ts";
import { createDayCollections, type DayRecords, nameOfDay } from "../day-collections.ts";
import { eventDays } from "../ingest/event-log.ts";
import { sightingDays } from "../presence/sightings.ts";
import type { ArchivedRow } from "./row-lines.ts";

/** A row with 1,000 others is read at once, which takes about 300 KB. */
const BATCH = 1_000;

/** How the rows of a kind are read, each by an index: nothing is sorted. */
type Access = {
  days: DayRecords;
  /** The order of the rows in a file. The id is the last, so that equal rows are the same. */
  order: readonly string[];
  /** The least row of a workspace after this one. */
  after(workspaceId: string): { filter: object; sort: Record<string, 1> };
  /** The rows of a workspace, beside its id. */
  own(workspaceId: string): object;
};

const access: Record<ArchiveKind, Access> = {
  events: {
    days: eventDays,
    order: ["readerId", "at", "_id"],
    after: (workspaceId) => ({ filter: { workspaceId: { $gt: workspaceId } }, sort: { workspaceId: 1 } }),
    own: () => ({}),
  },
  // Their ids begin with the workspace. No other index has it.
  sightings: {
    days: sightingDays,
    order: ["_id"],
    after: (workspaceId) => ({ filter: { _id: { $gt: `${workspaceId};` } }, sort: { _id: 1 } }),
    own: (workspaceId) => ({ _id: { $gt: `${workspaceId}:`, $lt: `${workspaceId};` } }),
  },
};

/** The rows of the daily collections, for their archive. */
export function createDayRows(mongo: Mongo) {
  const rowsOf = (kind: ArchiveKind, day: number) =>
    systemCollection<ArchivedRow>(mongo, nameOfDay(access[kind].days, day));

  return {
    days: {
      events: createDayCollections(mongo, eventDays),
      sightings: createDayCollections(mongo, sightingDays),
    },

    /** The first workspace after another one that has rows. Begin with "". */
    async nextWorkspace(kind: ArchiveKind, day: number, workspaceId: string): Promise<string | undefined> {
      const { filter, sort } = access[kind].after(workspaceId);
      const row = await rowsOf(kind, day).findOne(filter, { sort, projection: { workspaceId: 1 } });
      return row?.workspaceId;
    },

    count: ({ workspaceId, kind, day }: ArchivePart): Promise<number> =>
      mongo
        .collection<ArchivedRow>(nameOfDay(access[kind].days, day))
        .countDocuments({ ...access[kind].own(workspaceId), workspaceId }),

    /** The rows of all workspaces. It counts the entries of an index. */
    countAll: (kind: ArchiveKind, day: number): Promise<number> =>
      rowsOf(kind, day).countDocuments({}, { hint: { _id: 1 } }),

    /** The rows of a workspace, in the order of `compareRows`. */
    read: ({ workspaceId, kind, day }: ArchivePart): AsyncIterable<ArchivedRow> =>
      mongo
        .collection<ArchivedRow>(nameOfDay(access[kind].days, day))
        .find({ ...access[kind].own(workspaceId), workspaceId }, { batchSize: BATCH })
        .sort(Object.fromEntries(access[kind].order.map((field) => [field, 1]))),

    /** Inserts those of these rows that are not stored. Returns how many. */
    async insertMissing({ workspaceId, kind, day }: ArchivePart, rows: readonly ArchivedRow[]) {
      const writes = rows.map(({ _id, workspaceId: _, ...fields }) => ({
        updateOne: { filter: { _id, workspaceId }, update: { $setOnInsert: fields }, upsert: true },
      }));
      const collection = mongo.collection<ArchivedRow>(nameOfDay(access[kind].days, day));
      return (await collection.bulkWrite(writes, { ordered: false })).upsertedCount;
    },
  };
}

export type DayRows = ReturnType<typeof createDayRows>;

/** The order of rows as the database has it. Returns 0 for the same row. */
export const compareRows =
  (kind: ArchiveKind) =>
  (a: ArchivedRow, b: ArchivedRow): number => {
    for (const field of access[kind].order) {
      const order = compareValues(a[field], b[field]);
      if (order !== 0) return order;
    }
    return 0;
  };

function compareValues(a: unknown, b: unknown): number {
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  // MongoDB compares the bytes of texts.
  return a === b ? 0 : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
