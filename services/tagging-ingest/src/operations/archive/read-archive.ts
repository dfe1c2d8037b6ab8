import type { Blobs } from "@asset-register/blobs";
import type { Archive } from "../../domain/archive/archive.ts";
import { gunzipLines } from "../../store/archive/gzip-lines.ts";
import { type ArchivedRow, decodeRow } from "../../store/archive/row-lines.ts";

type Files = { blobs: Pick<Blobs, "open"> };
type File = Pick<Archive, "workspaceId" | "kind" | "blobId">;

/**
 * The lines of a file, without their ends. It streams.
 *
 * @throws Error if the file is missing or damaged
 */
export async function* readLines({ blobs }: Files, { workspaceId, blobId }: File): AsyncGenerator<string> {
  const opened = await blobs.open(workspaceId, blobId);
  if (opened === undefined) throw new Error(`The file ${blobId} of an archive is missing.`);
  yield* gunzipLines(opened.content);
}

/** The rows of a file, in its order. */
export async function* readRows(files: Files, file: File): AsyncGenerator<ArchivedRow> {
  for await (const line of readLines(files, file)) yield decodeRow(file.kind, line);
}
