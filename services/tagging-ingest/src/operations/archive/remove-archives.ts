import { dayOf } from "../../domain/utc-day.ts";
import type { ArchiveContext } from "./archive-context.ts";

const TOGETHER = 100;

/** Removes the files of days that ended `keepDays` ago. Returns how many. */
export async function removeArchives(
  { stores, blobs, now }: ArchiveContext,
  keepDays: number,
  signal: AbortSignal,
): Promise<number> {
  const before = dayOf(now().getTime()) - keepDays;
  let removed = 0;
  for (;;) {
    const old = await stores.archives.listBefore(before, TOGETHER);
    if (old.length === 0) return removed;
    for (const archive of old) {
      signal.throwIfAborted();
      // The record is first. If this process ends here, the sweep of blobs removes the file.
      await stores.archives.remove(archive);
      await blobs.remove(archive.workspaceId, archive.blobId);
      removed += 1;
    }
  }
}
