import { createHash } from "node:crypto";
import { changedMeanwhile, createPauses } from "@asset-register/runtime";
import { type Archive, type ArchivePart, archiveId } from "../../domain/archive/archive.ts";
import { mergeRows } from "../../domain/archive/merge-rows.ts";
import { compareRows } from "../../store/archive/day-rows.ts";
import { gunzipLines, gzipLines } from "../../store/archive/gzip-lines.ts";
import { type ArchivedRow, decodeRow, encodeRow } from "../../store/archive/row-lines.ts";
import type { ArchiveContext } from "./archive-context.ts";
import { readRows } from "./read-archive.ts";

/**
 * Writes the file of a workspace's rows of a day, reads it again, and then saves its record. If there is a file already,
 * the new one has its rows too and replaces it: the day had further rows after it was moved, or was restored. The rows
 * are streamed.
 *
 * @throws AppError conflict if another process has written the file meanwhile, Error if it is not as it was written
 */
export async function writeArchive(
  context: ArchiveContext,
  part: ArchivePart & { collectionId: string },
  before: Archive | undefined,
  signal: AbortSignal,
): Promise<Archive> {
  const { stores, blobs, now } = context;
  const { workspaceId, kind, day, collectionId } = part;
  const stored = counted(stores.dayRows.read(part));
  const all = counted(
    before === undefined
      ? stored.items
      : mergeRows(readRows(context, before), stored.items, compareRows(kind)),
  );
  const content = gzipLines(encoded(all.items, signal));
  const archive = await blobs.putFor(workspaceId, content, async (blob, renew) => {
    const { id: blobId, bytes, sha256 } = blob;
    const written = { rows: all.count(), bytes, sha256 };
    const file: Archive = {
      ...{ id: archiveId(part), workspaceId, kind, day, blobId, ...written },
      ...{ writtenAt: now(), storedRows: stored.count(), storedIn: collectionId },
    };
    await requireSame(context, file, signal);
    await renew();
    if (!(await stores.archives.save(file, before))) throw changedMeanwhile("archive");
    return file;
  });
  if (before !== undefined) await blobs.remove(workspaceId, before.blobId);
  return archive;
}

/** Reads the file from the store: its bytes have to be those that were written, and its lines rows that can be restored. */
async function requireSame(
  { blobs }: ArchiveContext,
  { workspaceId, kind, blobId, rows, sha256 }: Archive,
  signal: AbortSignal,
): Promise<void> {
  const opened = await blobs.open(workspaceId, blobId);
  if (opened === undefined) throw new Error(`The file ${blobId} is missing after it was written.`);
  const hash = createHash("sha256");
  async function* hashed(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
  }
  let found = 0;
  const pause = createPauses();
  for await (const line of gunzipLines(hashed(opened.content))) {
    found += 1;
    if (encodeRow(decodeRow(kind, line)) !== `${line}\n`)
      throw new Error(`The line ${found} of the file ${blobId} is not the row that it becomes.`);
    signal.throwIfAborted();
    await pause();
  }
  if (found !== rows || hash.digest("hex") !== sha256)
    throw new Error(`The file ${blobId} is not as it was written: it has ${found} of ${rows} rows.`);
}

async function* encoded(rows: AsyncIterable<ArchivedRow>, signal: AbortSignal): AsyncGenerator<string> {
  const pause = createPauses();
  for await (const row of rows) {
    yield encodeRow(row);
    signal.throwIfAborted();
    // Reads are processed by the same process.
    await pause();
  }
}

function counted<T>(items: AsyncIterable<T>) {
  let count = 0;
  async function* passed(): AsyncGenerator<T> {
    for await (const item of items) {
      count += 1;
      yield item;
    }
  }
  return { items: passed(), count: () => count };
}
