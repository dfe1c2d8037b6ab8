import { type AppError, invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Import } from "../../domain/import/import.ts";

/**
 * The content of an import's file, from the byte `from` on.
 *
 * @throws AppError VALIDATION_FAILED if the file is gone: an import that waited for it would block all others
 */
export async function* openFile(
  { blobs }: Context,
  { workspaceId, fileId }: Pick<Import, "workspaceId" | "fileId">,
  from: number,
): AsyncIterable<Uint8Array> {
  const file = await blobs.open(workspaceId, fileId, from);
  if (file === undefined) throw invalidFile("The file is no longer stored. Upload it again.");
  yield* file.content;
}

/** At most `count` bytes of the content. */
export async function firstBytes(content: AsyncIterable<Uint8Array>, count: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= count) break;
  }
  return Buffer.concat(chunks).subarray(0, count);
}

/** The failure of an import by its file. */
export function invalidFile(message: string): AppError {
  return invalid([{ field: "file", message }], message);
}
