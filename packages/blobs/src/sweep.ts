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
/** Nearly all blobs are old and stay. They are looked at once a week. */
const OLD_MS = 30 * AGAIN_MS;
const OLD_AGAIN_MS = 7 * AGAIN_MS;
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
    if (ids.length === 0) return;
    const sweepAt = new Date(now().getTime() + ms);
    await files.updateMany({ workspaceId, _id: { $in: [...ids] } }, { $set: { sweepAt } });
  }

  /** Postpones the next look at blobs that have a record. */
  async function keep(workspaceId: string, rows: readonly FileRow[]): Promise<void> {
    const { old = [], young = [] } = Object.groupBy(rows, ({ createdAt }) =>
      now().getTime() - createdAt.getTime() > OLD_MS ? "old" : "young",
    );
    await postpone(workspaceId, idsOf(young), AGAIN_MS);
    // Not all at the same time.
    await postpone(workspaceId, idsOf(old), OLD_AGAIN_MS * (1 + Math.random() / 7));
  }

  /** Returns false if the blob is no longer due: a record of it may be saved at this moment. */
  async function claim({ _id, workspaceId }: FileRow): Promise<boolean> {
    const due = { _id, workspaceId, sweepAt: { $lte: now() } };
    return (await files.updateOne(due, { $set: { removing: true } })).matchedCount === 1;
  }

  async function removeUnreferenced(workspaceId: string, due: readonly FileRow[]): Promise<number> {
    const open = due.filter(({ removing }) => removing === undefined);
    const referred = new Set(open.length === 0 ? [] : await referenced(workspaceId, idsOf(open)));
    await keep(
      workspaceId,
      open.filter(({ _id }) => referred.has(_id)),
    );
    let removed = 0;
    for (const row of due) {
      const { _id: id } = row;
      if (referred.has(id) || !(await claim(row))) continue;
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
        removed += await removeUnreferenced(workspaceId, rows);
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

const idsOf = (rows: readonly FileRow[]): string[] => rows.map(({ _id }) => _id);
