import { defineRecords, type Mongo } from "@asset-register/mongo";
import type { FeedEntry } from "../../domain/feed/feed-entry.ts";

export const feedEntryRecords = defineRecords<FeedEntry>({
  collection: "feed_entries",
  // As callers know it.
  name: "event",
  fields: { type: String, timestamp: Date, data: String, assetId: String, seq: Number, insertedAt: Date },
  // The id is unique by `_id`: it is a hash of the workspace, too.
  indexes: [
    { name: "seq", key: { workspaceId: 1, seq: 1 }, unique: true },
    { name: "type", key: { workspaceId: 1, type: 1, seq: 1 } },
    {
      ...{ name: "asset", key: { workspaceId: 1, assetId: 1, seq: 1 } },
      partialFilterExpression: { assetId: { $exists: true } },
    },
  ],
});

export type FeedRange = {
  /** Exclusive. */
  after: number;
  /** Inclusive. */
  until: number;
  /** Undefined: all. */
  types?: readonly string[] | undefined;
  assetId?: string | undefined;
};

/** Rows that one command reads, so that large ones do not fill the memory. */
const BATCH = 200;

/** The entries. feed-writes.ts adds them. */
export function createFeedEntryStore(mongo: Mongo) {
  const { collection, get, toRecord } = feedEntryRecords.store(mongo);
  const query = (workspaceId: string, { after, until, types, assetId }: FeedRange, limit: number) =>
    collection
      .find({
        workspaceId,
        ...(types && { type: { $in: [...types] } }),
        ...(assetId !== undefined && { assetId }),
        seq: { $gt: after, $lte: until },
      })
      .sort({ seq: 1 })
      .limit(limit);
  return {
    get,

    /**
     * The first entries of a range, up to `limit` entries and `bytes` of data, but one at least if there is one. `more`
     * is true when there are others.
     */
    async read(
      workspaceId: string,
      range: FeedRange,
      { limit, bytes }: { limit: number; bytes: number },
    ): Promise<{ entries: FeedEntry[]; more: boolean }> {
      const entries: FeedEntry[] = [];
      let size = 0;
      for await (const row of query(workspaceId, range, limit + 1).batchSize(Math.min(limit + 1, BATCH))) {
        const entry = toRecord(row);
        size += sizeOf(entry);
        if (entries.length === limit || (entries.length > 0 && size > bytes)) return { entries, more: true };
        entries.push(entry);
      }
      return { entries, more: false };
    },

    explain: (workspaceId: string, range: FeedRange, limit: number) =>
      query(workspaceId, range, limit).explain("executionStats"),

    /** The entry at a place. Undefined when it is not kept. */
    async at(workspaceId: string, seq: number): Promise<FeedEntry | undefined> {
      const row = await collection.findOne({ workspaceId, seq });
      return row === null ? undefined : toRecord(row);
    },

    /** Removes the oldest entries before `seq`, `count` of them at most. Returns whether others are left. */
    async removeBefore(workspaceId: string, seq: number, count: number): Promise<boolean> {
      const [oldest] = await collection.find({ workspaceId }).sort({ seq: 1 }).limit(1).toArray();
      if (oldest === undefined || oldest.seq >= seq) return false;
      const end = Math.min(seq, oldest.seq + count);
      await collection.deleteMany({ workspaceId, seq: { $lt: end } });
      return end < seq;
    },
  };
}

/** The approximate size of an entry in an answer. */
const sizeOf = ({ data }: FeedEntry): number => Buffer.byteLength(data) + 250;
