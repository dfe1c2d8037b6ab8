import type { ClientSession, Mongo, RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { FeedEntry } from "../../domain/feed/feed-entry.ts";
import { feedEntryRecords } from "./feed-entries.ts";
import { feedHeadRecords, type HeadBookkeeping, type LockedHead } from "./feed-heads.ts";

export type FeedWriteStore = ReturnType<typeof createFeedWriteStore>;

/**
 * Adds entries to the feeds of several workspaces in one transaction, each by one command: a transaction for each
 * workspace cost the database twice as much, with 100 workspaces. The driver is used alone, since Mongoose doubles
 * the cost of a row.
 */
export function createFeedWriteStore(mongo: Mongo) {
  const heads = systemCollection<RecordDocument<LockedHead, HeadBookkeeping>>(
    mongo,
    feedHeadRecords.collection,
  );
  const entries = systemCollection<RecordDocument<FeedEntry>>(mongo, feedEntryRecords.collection);
  return {
    /** Locks feeds until the transaction ends, and returns their heads. Call it first. */
    async lock(workspaceIds: readonly string[], session: ClientSession): Promise<Map<string, LockedHead>> {
      // In one order, so that two processes with the same workspaces conflict at the first of them.
      const locks = workspaceIds.toSorted().map((id) => ({
        updateOne: {
          filter: { _id: id },
          update: {
            $inc: { lock: 1 },
            $setOnInsert: { workspaceId: id, seq: 0, firstSeq: 1, insertedAt: null },
          },
          upsert: true,
        },
      }));
      await heads.bulkWrite(locks, { session });
      const found = await heads.find({ _id: { $in: [...workspaceIds] } }, { session }).toArray();
      return new Map(found.map(({ _id, ...head }) => [_id, { ...head, id: _id }]));
    },

    /** Which of these ids have an entry. An id is a hash of its workspace, too. */
    async existing(ids: string[], session: ClientSession): Promise<Set<string>> {
      const found = await entries.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Inserts entries, and saves the newest one of each workspace as its head. */
    async insert(added: readonly FeedEntry[], session: ClientSession): Promise<void> {
      const newest = new Map(added.map((entry) => [entry.workspaceId, entry]));
      await entries.insertMany(
        added.map(({ id, ...fields }) => ({ ...fields, _id: id })),
        { session },
      );
      const advances = [...newest.values()].map(({ workspaceId, seq, id: lastId, insertedAt }) => ({
        updateOne: { filter: { _id: workspaceId }, update: { $set: { seq, lastId, insertedAt } } },
      }));
      await heads.bulkWrite(advances, { session });
    },
  };
}
