import { ensureIndexes, type Migration, type Mongo, type TenantDocument } from "@asset-register/mongo";
import { ensureSystemIndexes, systemCollection } from "@asset-register/mongo/system";

/** The row of a blob. It is inserted before the content, so that no content is without a row. */
export type FileRow = TenantDocument & {
  store: "mongo" | "s3";
  createdAt: Date;
  /** When the sweep asks next whether a record refers to it. */
  sweepAt: Date;
  /** The sweep found no record, and removes it. */
  removing?: true;
  /** Set with the last byte. */
  bytes?: number;
  sha256?: string;
};

export const FILES = "files";

/** The indexes of the store. A service with blobs runs this with its own migrations. */
export const blobMigration: Migration = {
  id: "blobs-1",
  up: async (mongo) => {
    const key = { workspaceId: 1, fileId: 1, n: 1 } as const;
    await ensureIndexes(mongo, "chunks", [{ key, name: "file", unique: true }]);
    await ensureSystemIndexes(mongo, FILES, [{ key: { sweepAt: 1 }, name: "sweep" }]);
  },
};

/** The files of all workspaces that the sweep looks at now. */
export function dueFiles(mongo: Mongo, now: Date, limit: number): Promise<FileRow[]> {
  const files = systemCollection<FileRow>(mongo, FILES);
  return files.find({ sweepAt: { $lte: now } }, { sort: { sweepAt: 1 }, limit }).toArray();
}
