import type { Blobs } from "@asset-register/blobs";
import { type AppError, invalid } from "@asset-register/runtime";

/** The files of imports. */
export type ImportFiles = {
  /**
   * The content from the byte `from` on.
   *
   * @throws AppError VALIDATION_FAILED if the file is gone: an import that waited for it would block all others
   */
  open(workspaceId: string, id: string, from: number): AsyncIterable<Uint8Array>;
  remove(workspaceId: string, id: string): Promise<void>;
};

export function createImportFiles(blobs: Blobs): ImportFiles {
  return {
    async *open(workspaceId, id, from) {
      const file = await blobs.open(workspaceId, id, from);
      if (file === undefined) throw invalidFile("The file is no longer stored. Upload it again.");
      yield* file.content;
    },
    remove: (workspaceId, id) => blobs.remove(workspaceId, id),
  };
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
