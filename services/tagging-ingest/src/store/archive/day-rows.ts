import { hasErrorCode, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ArchiveKind, ArchivePart } from "../../domain/archive/archive.ts";
import { createDayCollections, type DayRecords, nameOfDay } from "../day-collections.ts";
import { LONG } from "../day-drops.ts";
import { eventDays } from "../ingest/event-log.ts";
import { sightingDays } from "../presence/sightings.ts";
import type { ArchivedRow } from "./row-lines.ts";

/** A row with 1,000 others is read at once, which takes about 300 KB. */
const BATCH = 1_000;

const CURSOR_NOT_FOUND = 43;

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
    count({ workspaceId, kind, day }: ArchivePart, signal?: AbortSignal): Promise<number> {
      const { own, hint } = access[kind];
      return rowsOf(kind, day).countDocuments(own(workspaceId), { ...LONG, hint, ...(signal && { signal }) });
    },

    /** The rows of a workspace, in the order of `compareRows`. */
    async *read({ workspaceId, kind, day }: ArchivePart): AsyncGenerator<ArchivedRow> {
      const { own, order, hint } = access[kind];
      const sort = Object.fromEntries(order.map((field) => [field, 1 as const]));
      let last: ArchivedRow | undefined;
      for (;;) {
        const filter = { ...own(workspaceId), workspaceId, ...(last && rowsAfter(last, order)) };
        const rows = rowsOfWorkspace(kind, day).find(filter, { batchSize: BATCH, hint }).sort(sort);
        try {
          for await (const row of rows) {
            last = row;
            yield row;
          }
          return;
        } catch (error) {
          // The database closes a cursor after 10 idle minutes. A merge may pass other rows of the file for longer.
          if (last === undefined || !hasErrorCode(error, CURSOR_NOT_FOUND)) throw error;
        }
      }
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

/** The rows after another one in this order. */
function rowsAfter(row: ArchivedRow, order: readonly string[]) {
  const equal = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, row[field]]));
  return { $or: order.map((field, at) => ({ ...equal(order.slice(0, at)), [field]: { $gt: row[field] } })) };
}

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
