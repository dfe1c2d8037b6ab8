import { createHash } from "node:crypto";
import type { Mongo } from "@asset-register/mongo";
import { AppError, newId, unavailable } from "@asset-register/runtime";
import type { Contents } from "./contents.ts";
import { FILES, type FileRow } from "./files.ts";
import { createMongoContents } from "./mongo-contents.ts";
import type { S3Settings } from "./settings.ts";

export type StoredBlob = {
  id: string;
  bytes: number;
  /** In hex. */
  sha256: string;
};

export type OpenBlob = StoredBlob & {
  /** Is read once, and only as fast as the reader asks for it. It throws if bytes are missing. */
  content: AsyncIterable<Uint8Array>;
};

/** The content of files. Each belongs to one workspace. */
export type Blobs = {
  /** Stores content as it arrives. If it fails, nothing is left. */
  put(workspaceId: string, content: AsyncIterable<Uint8Array>): Promise<StoredBlob>;
  /**
   * Stores content, then runs `save`, which writes the record that refers to it. If `save` fails, the blob is removed.
   * If the outcome of `save` is not known (unavailable, internal), the sweep decides. A `save` that may take an hour
   * calls `renew` just before it writes the record: it fails as unavailable if the sweep removes the blob.
   */
  putFor<T>(
    workspaceId: string,
    content: AsyncIterable<Uint8Array>,
    save: (blob: StoredBlob, renew: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** The workspace's blob, with its content from the byte `from` on; or undefined. */
  open(workspaceId: string, id: string, from?: number): Promise<OpenBlob | undefined>;
  /** Removes a blob to which no record refers. A missing one is no error. */
  remove(workspaceId: string, id: string): Promise<void>;
  close(): void;
};

export type BlobOptions = {
  mongo: Mongo;
  /** Stores new content there. Content that is in MongoDB can still be read. */
  s3?: S3Settings | undefined;
  now(): Date;
};

/** A blob without a record is removed this long after its last bytes: longer than any transaction. */
export const UNREFERENCED_MS = 3_600_000;
/** While content arrives or its record is saved, the sweep is postponed this often. */
const POSTPONE_MS = UNREFERENCED_MS / 6;

/** Creates the store of a service: in its database, or in S3 with `s3`. */
export async function createBlobs({ mongo, s3, now }: BlobOptions): Promise<Blobs> {
  const files = mongo.collection<FileRow>(FILES);
  const inMongo = createMongoContents(mongo);
  // The client of S3 is loaded only where it is used: it takes 200 ms and 30 MB.
  const inS3 = s3 === undefined ? undefined : (await import("./s3-contents.ts")).createS3Contents(s3);
  const target = inS3 ?? inMongo;

  function contentsOf({ store }: FileRow): Contents {
    if (store === "mongo") return inMongo;
    if (inS3 === undefined) throw new Error("A file is in S3, but this process has no setting S3_BUCKET.");
    return inS3;
  }

  const sweptAt = (): Date => new Date(now().getTime() + UNREFERENCED_MS);

  /** Postpones the sweep of a blob, unless it removes the blob already. */
  async function change(workspaceId: string, id: string, fields: Partial<FileRow> = {}): Promise<void> {
    const { matchedCount } = await files.updateOne(
      { _id: id, workspaceId, removing: { $exists: false } },
      { $set: { ...fields, sweepAt: sweptAt() } },
    );
    if (matchedCount === 0)
      throw unavailable("The file was removed before it was complete. Please try again.");
  }

  async function put(workspaceId: string, content: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    const id = newId("blb");
    await files.insertOne({ _id: id, workspaceId, store: target.name, createdAt: now(), sweepAt: sweptAt() });
    try {
      const { counted, result } = count(
        every(content, POSTPONE_MS, { now, run: () => change(workspaceId, id) }),
      );
      await target.write({ workspaceId, id }, counted);
      const { bytes, sha256 } = result();
      await change(workspaceId, id, { bytes, sha256 });
      return { id, bytes, sha256 };
    } catch (error) {
      await discard(workspaceId, id);
      throw error;
    }
  }

  async function remove(workspaceId: string, id: string): Promise<void> {
    const row = await files.findOne({ _id: id, workspaceId });
    if (row === null) return;
    // The row is last, so that an interrupted removal is continued by the sweep.
    await contentsOf(row).remove({ workspaceId, id });
    await files.deleteOne({ _id: id, workspaceId });
  }

  /** Also without its row. If the store is unavailable, the sweep removes the blob later. */
  async function discard(workspaceId: string, id: string): Promise<void> {
    try {
      await target.remove({ workspaceId, id });
      await files.deleteOne({ _id: id, workspaceId });
    } catch {}
  }

  return {
    put,
    remove,
    async putFor(workspaceId, content, save) {
      const blob = await put(workspaceId, content);
      const renew = () => change(workspaceId, blob.id);
      // If it fails, the next one may succeed, or `save` finds out with its own.
      const timer = setInterval(() => void renew().catch(() => undefined), POSTPONE_MS);
      try {
        return await save(blob, renew);
      } catch (error) {
        if (isRefusal(error)) await discard(workspaceId, blob.id);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
    async open(workspaceId, id, from = 0) {
      const row = await files.findOne({ _id: id, workspaceId });
      if (row?.bytes === undefined || row.sha256 === undefined) return undefined;
      const { bytes, sha256 } = row;
      if (from >= bytes) return { id, bytes, sha256, content: nothing() };
      return {
        id,
        bytes,
        sha256,
        content: complete(contentsOf(row).read({ workspaceId, id }, from), bytes - from),
      };
    },
    close: () => inS3?.close(),
  };
}

/** Whether an error says that nothing was saved. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && error.kind !== "unavailable" && error.kind !== "internal";

/** Passes content on, and calls `run` after a chunk when `ms` have passed since the begin or the last call. */
async function* every(
  content: AsyncIterable<Uint8Array>,
  ms: number,
  { now, run }: { now(): Date; run(): Promise<void> },
): AsyncGenerator<Uint8Array> {
  let next = now().getTime() + ms;
  for await (const chunk of content) {
    yield chunk;
    if (now().getTime() < next) continue;
    await run();
    next = now().getTime() + ms;
  }
}

/** Counts and hashes content while it passes. */
function count(content: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { counted: counted(), result: () => ({ bytes, sha256: hash.digest("hex") }) };
}

/** S3 refuses a range without bytes. */
async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Fails at its end if bytes are missing, for example because the blob was removed meanwhile. */
async function* complete(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const chunk of content) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== bytes) throw new Error(`A stored file has ${read} of its ${bytes} bytes.`);
}
