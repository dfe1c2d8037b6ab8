import { defineRecords, isDuplicateKey, type Mongo, type RecordDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { Archive } from "../../domain/archive/archive.ts";

/** The files with rows of days that were moved out of the daily collections. A row is written when its file is complete. */
export const archiveRecords = defineRecords<Archive>({
  collection: "archives",
  name: "archive",
  fields: {
    kind: String,
    day: Number,
    blobId: String,
    rows: Number,
    bytes: Number,
    sha256: String,
    writtenAt: Date,
    storedRows: Number,
    storedIn: String,
  },
  indexes: [
    { name: "day", key: { workspaceId: 1, day: 1, kind: 1 }, unique: true },
    { name: "blob", key: { workspaceId: 1, blobId: 1 } },
  ],
});

export function createArchiveStore(mongo: Mongo) {
  const { collection, get, insert, find, toRecord } = archiveRecords.store(mongo);
  // A day is moved, and expires, for all workspaces.
  const all = systemCollection<RecordDocument<Archive>>(mongo, archiveRecords.collection);
  return {
    get,

    /** Saves a file if the workspace still has the file `before` of this day, or none. Returns false otherwise. */
    async save(archive: Archive, before: Archive | undefined): Promise<boolean> {
      const { id, workspaceId, ...fields } = archive;
      if (before !== undefined) {
        const filter = { workspaceId, _id: id, blobId: before.blobId };
        return (await collection.updateOne(filter, { $set: fields })).matchedCount === 1;
      }
      try {
        await insert(workspaceId, archive);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Notes that all rows of this collection of the day are in this file, unless the file was replaced. */
    async setStored({ workspaceId, id, blobId, rows }: Archive, storedIn: string): Promise<void> {
      await collection.updateOne({ workspaceId, _id: id, blobId }, { $set: { storedRows: rows, storedIn } });
    },

    async remove({ workspaceId, id }: Archive): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: id });
    },

    /** Which of these blobs are files of days. */
    async referencedBlobs(workspaceId: string, ids: string[]): Promise<string[]> {
      const found = collection.find({ workspaceId, blobId: { $in: ids } }, { projection: { blobId: 1 } });
      return (await found.toArray()).map(({ blobId }) => blobId);
    },

    /** The files of a workspace, the oldest day first. */
    listOf: (workspaceId: string): Promise<Archive[]> => find(workspaceId, {}, { sort: { day: 1, kind: 1 } }),

    /** The files of all workspaces, the oldest day first. */
    async *listAll(): AsyncGenerator<Archive> {
      for await (const row of all.find().sort({ day: 1, kind: 1 })) yield toRecord(row);
    },

    /** The files of a day, of all workspaces. */
    async ofDay(day: number): Promise<Archive[]> {
      return (await all.find({ day }).sort({ kind: 1 }).toArray()).map(toRecord);
    },

    /** Some files of days before this one, of all workspaces. */
    async listBefore(day: number, limit: number): Promise<Archive[]> {
      return (await all.find({ day: { $lt: day } }, { sort: { day: 1 }, limit }).toArray()).map(toRecord);
    },
  };
}

export type ArchiveStore = ReturnType<typeof createArchiveStore>;
