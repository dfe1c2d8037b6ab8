import type { Mongo, RecordDocument } from "@asset-register/mongo";
import { type ReadCounts, readCounters } from "../../domain/readers/ignored-counts.ts";
import type { Reader } from "../../domain/readers/reader.ts";

/** The counters of a reader in one minute. */
export type CountedReads = ReadCounts & { workspaceId: string; readerId: string };

/** The counters of the last minutes are in the row of the reader, by the minute modulo SLOTS. */
type Row = RecordDocument<Reader, { readCounts?: Readonly<Record<string, ReadCounts>> }>;

/** More than the 15 minutes that are read: the oldest slot is overwritten. */
const SLOTS = 16;

export function createReadCountStore(mongo: Mongo) {
  const readers = mongo.collection<Row>("readers");
  return {
    /** Adds counts, of readers of any workspaces. */
    async add(counted: readonly CountedReads[]): Promise<void> {
      await readers.bulkWrite(
        counted.map(({ workspaceId, readerId, ...counts }) => ({
          updateOne: { filter: { workspaceId, _id: readerId }, update: [{ $set: slotAfter(counts) }] },
        })),
        { ordered: false },
      );
    },

    /** The counts of the last minutes of a reader. */
    async get(workspaceId: string, readerId: string): Promise<ReadCounts[]> {
      const row = await readers.findOne({ workspaceId, _id: readerId }, { projection: { readCounts: 1 } });
      return Object.values(row?.readCounts ?? {});
    },
  };
}

/** A slot of an earlier minute begins again. Each counter is written: others would keep what they counted then. */
function slotAfter({ minute, ...counts }: ReadCounts): Record<string, object> {
  const slot = `readCounts.${minute % SLOTS}`;
  const isSame = { $eq: [`$${slot}.minute`, minute] };
  const sums = readCounters.map((name) => [
    name,
    { $add: [{ $cond: [isSame, { $ifNull: [`$${slot}.${name}`, 0] }, 0] }, counts[name] ?? 0] },
  ]);
  return { [slot]: { minute: { $literal: minute }, ...Object.fromEntries(sums) } };
}
