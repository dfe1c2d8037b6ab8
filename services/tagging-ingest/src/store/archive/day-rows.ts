import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ArchiveKind, ArchivePart } from "../../domain/archive/archive.ts";
import { createDayCollections, type DayRecords, nameOfDay } from "../day-collections.ts";
import { eventDays } from "../ingest/event-log.ts";
import { sightingDays } from "../presence/sightings.ts";
import type { ArchivedRow } from "./row-lines.ts";

/** A row with 1,000 others is read at once, which takes about 300 KB. */
const BATCH = 1_000;

/** A count of 1,000,000 rows takes about a second, and a large workspace has 400,000,000 in a day. */
const COUNT = { socketTimeoutMS: 3_600_000 };

/** How the rows of a kind are read. */
type Access = {
  days: DayRecords;
  /** The index that has a workspace's rows in this order, so that nothing is sorted. */
  hint: string | { _id: 1 };
  /** The order of the rows in a file. The id is the last, so that equal rows are the same. */
  order: readonly string[];
  /** The least row of a workspace after this one. */
  after(workspaceId: string): { filter: object; sort: Record<string, 1> };
  workspaceOf(row: ArchivedRow): string;
  /** The rows of a workspace, by fields of that index alone. */
  own(workspaceId: string): object;
};

const access: Record<ArchiveKind, Access> = {
  events: {
    days: eventDays,
    hint: "reader",
    order: ["readerId", "at", "_id"],
    after: (workspaceId) => ({ filter: { workspaceId: { $gt: workspaceId } }, sort: { workspaceId: 1 } }),
    workspaceOf: ({ workspaceId }) => workspaceId,
    own: (workspaceId) => ({ workspaceId }),
  },
  // Their ids begin with the workspace. No other index has it.
  sightings: {
    days: sightingDays,
    hint: { _id: 1 },
    order: ["_id"],
    after: (workspaceId) => ({ filter: { _id: { $gt: `${workspaceId};` } }, sort: { _id: 1 } }),
    workspaceOf: ({ _id }) => _id.slice(0, _id.indexOf(":")),
    own: (workspaceId) => ({ _id: { $gt: `${workspaceId}:`, $lt: `${workspaceId};` } }),
  },
};

/** The rows of the daily collections, for their archive. */
export function createDayRows(mongo: Mongo) {
  const rowsOf = (kind: ArchiveKind, day: number) =>
    systemCollection<ArchivedRow>(mongo, nameOfDay(access[kind].days, day));

  const rowsOfWorkspace = (kind: ArchiveKind, day: number) =>
    mongo.collection<ArchivedRow>(nameOfDay(access[kind].days, day));

  return {
    days: {
      events: createDayCollections(mongo, eventDays),
      sightings: createDayCollections(mongo, sightingDays),
    },

    /** The first workspace after another one that has rows. Begin with "". */
    async nextWorkspace(kind: ArchiveKind, day: number, workspaceId: string): Promise<string | undefined> {
      const { after, workspaceOf } = access[kind];
      const { filter, sort } = after(workspaceId);
      const row = await rowsOf(kind, day).findOne(filter, { sort, projection: { workspaceId: 1 } });
      return row === null ? undefined : workspaceOf(row);
    },

    /** It counts the entries of an index, and reads no row. */
    count({ workspaceId, kind, day }: ArchivePart): Promise<number> {
      const { own, hint } = access[kind];
      return rowsOf(kind, day).countDocuments(own(workspaceId), { ...COUNT, hint });
    },

    /** The same for all workspaces. */
    countAll: (kind: ArchiveKind, day: number): Promise<number> =>
      rowsOf(kind, day).countDocuments({}, { ...COUNT, hint: { _id: 1 } }),

    /** The rows of a workspace, in the order of `compareRows`. */
    read({ workspaceId, kind, day }: ArchivePart): AsyncIterable<ArchivedRow> {
      const { own, order, hint } = access[kind];
      return rowsOfWorkspace(kind, day)
        .find({ ...own(workspaceId), workspaceId }, { batchSize: BATCH, hint })
        .sort(Object.fromEntries(order.map((field) => [field, 1])));
    },

    /** Inserts those of these rows that are not stored. Returns how many. */
    async insertMissing({ workspaceId, kind, day }: ArchivePart, rows: readonly ArchivedRow[]) {
      const writes = rows.map(({ _id, workspaceId: _, ...fields }) => ({
        updateOne: { filter: { _id, workspaceId }, update: { $setOnInsert: fields }, upsert: true },
      }));
      return (await rowsOfWorkspace(kind, day).bulkWrite(writes, { ordered: false })).upsertedCount;
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
