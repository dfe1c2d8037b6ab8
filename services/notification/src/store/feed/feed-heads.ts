import { defineRecords, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { FeedHead } from "../../domain/feed/feed-entry.ts";

export type HeadBookkeeping = {
  /** Raised first in each transaction that adds entries, so that no other one can commit meanwhile. */
  lock: number;
  /** Of the newest entry. Times of entries never go back, so that those that expire are a prefix. */
  insertedAt: Date | null;
};

export type LockedHead = FeedHead & Pick<HeadBookkeeping, "insertedAt">;

export const feedHeadRecords = defineRecords<FeedHead, HeadBookkeeping>({
  collection: "feed_heads",
  name: "feed",
  fields: { seq: Number, lastId: String, firstSeq: Number, firstSeqAt: Date },
  beside: { lock: Number, insertedAt: Date },
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

export function createFeedHeadStore(mongo: Mongo) {
  const { collection, get, toRecord } = feedHeadRecords.store(mongo);
  const all = systemCollection<Parameters<typeof toRecord>[0]>(mongo, feedHeadRecords.collection);
  return {
    /** Undefined before the first entry. */
    get: (workspaceId: string): Promise<FeedHead | undefined> => get(workspaceId, workspaceId),

    /** Saves that entries before `firstSeq` will be removed: no reader begins there any more. */
    async raiseFirst(workspaceId: string, firstSeq: number): Promise<void> {
      await collection.updateOne(
        { workspaceId, _id: workspaceId, firstSeq: { $lt: firstSeq } },
        { $set: { firstSeq }, $currentDate: { firstSeqAt: true } },
      );
    },

    /** The heads of workspaces that have entries, of up to 1,000 workspaces. */
    async getMany(workspaceIds: readonly string[]): Promise<Map<string, FeedHead>> {
      const rows = await all.find({ _id: { $in: [...workspaceIds] } }).toArray();
      return new Map(rows.map((row) => [row._id, toRecord(row)]));
    },

    /** The heads of all workspaces, in order of id. */
    async list({ afterId, limit }: { afterId: string; limit: number }): Promise<FeedHead[]> {
      const rows = await all
        .find({ _id: { $gt: afterId } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return rows.map(toRecord);
    },
  };
}
