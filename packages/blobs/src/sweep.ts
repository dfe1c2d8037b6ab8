import type { Mongo } from "@asset-register/mongo";
import type { Logger } from "@asset-register/runtime";
import type { Blobs } from "./blobs.ts";
import { dueFiles, FILES, type FileRow } from "./files.ts";

export type BlobSweepOptions = {
  mongo: Mongo;
  blobs: Pick<Blobs, "remove">;
  /** The owner's answer: to which of these blobs a record of the workspace refers. At most 500 ids. */
  referenced(workspaceId: string, ids: string[]): Promise<readonly string[]>;
  logger: Logger;
  now(): Date;
};

export type BlobSweep = {
  /** Looks at all blobs that are due. Returns the number of removed ones. */
  run(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
};

const EVERY_MS = 600_000;
const TOGETHER = 500;
/** A referenced blob is looked at once a day, because a process may end between a change and its removal. */
const AGAIN_MS = 86_400_000;
/** A blob that cannot be removed now must not keep others waiting. */
const RETRY_MS = 3_600_000;

/**
 * Removes blobs to which no record refers: the rest of uploads whose process ended, and replaced ones. It looks at a
 * blob for the first time one hour after its last bytes. Several processes may sweep at the same time.
 */
export function createBlobSweep({ mongo, blobs, referenced, logger, now }: BlobSweepOptions): BlobSweep {
  const files = mongo.collection<FileRow>(FILES);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();

  async function postpone(workspaceId: string, ids: readonly string[], ms: number): Promise<void> {
    const sweepAt = new Date(now().getTime() + ms);
    await files.updateMany({ workspaceId, _id: { $in: [...ids] } }, { $set: { sweepAt } });
  }

  async function removeUnreferenced(workspaceId: string, ids: string[]): Promise<number> {
    const kept = new Set(await referenced(workspaceId, ids));
    await postpone(workspaceId, [...kept], AGAIN_MS);
    let removed = 0;
    for (const id of ids.filter((one) => !kept.has(one))) {
      try {
        await blobs.remove(workspaceId, id);
        removed += 1;
      } catch (error) {
        logger.warn({ err: error, blob: id }, "blob without a record not removed; it will be retried");
        await postpone(workspaceId, [id], RETRY_MS);
      }
    }
    return removed;
  }

  async function run(): Promise<number> {
    let removed = 0;
    while (!stopping.signal.aborted) {
      const due = await dueFiles(mongo, now(), TOGETHER);
      for (const [workspaceId, rows = []] of Object.entries(Object.groupBy(due, (row) => row.workspaceId))) {
        removed += await removeUnreferenced(
          workspaceId,
          rows.map(({ _id }) => _id),
        );
      }
      if (due.length < TOGETHER) break;
    }
    return removed;
  }

  async function sweep(): Promise<void> {
    try {
      const removed = await run();
      if (removed > 0) logger.info({ removed }, "blobs without a record removed");
    } catch (error) {
      logger.warn({ err: error }, "sweep of blobs failed; it will be retried");
    }
  }

  const begin = (): void => {
    work = work.then(sweep);
  };

  return {
    run,
    start() {
      begin();
      timer = setInterval(begin, EVERY_MS);
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await work;
    },
  };
}
