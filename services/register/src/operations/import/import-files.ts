import type { Blobs } from "@asset-register/blobs";
import { unavailable } from "@asset-register/runtime";

/** The files of imports. */
export type ImportFiles = {
  /** The content from the byte `from` on. */
  open(workspaceId: string, id: string, from: number): AsyncIterable<Uint8Array>;
  remove(workspaceId: string, id: string): Promise<void>;
};

export function createImportFiles(blobs: Blobs): ImportFiles {
  return {
    async *open(workspaceId, id, from) {
      const file = await blobs.open(workspaceId, id, from);
      // The file is kept until the import has ended, so its store must be at fault.
      if (file === undefined) throw unavailable("The file can't be read.");
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
