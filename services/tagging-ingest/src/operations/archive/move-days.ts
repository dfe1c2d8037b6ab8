import { isUnavailable } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import {
  type ArchiveKind,
  type ArchivePart,
  archiveId,
  archiveKinds,
  dateOfDay,
} from "../../domain/archive/archive.ts";
import type { ArchiveContext } from "./archive-context.ts";
import { type ArchiveMetrics, createArchiveMetrics } from "./archive-metrics.ts";
import { writeArchive } from "./write-archive.ts";

const DAY_MS = 86_400_000;

type MoveContext = ArchiveContext & { logger: Logger; metrics: Metrics };
type Moving = Omit<MoveContext, "metrics"> & { metrics: ArchiveMetrics };

/**
 * Moves the days of events and sightings that ended `afterDays` ago to the store of blobs: it writes a file for each
 * workspace and kind, and then drops the collection. The records of complete files are the progress, so an interrupted
 * move continues.
 */
export function createDayMover(context: MoveContext, { afterDays }: { afterDays: number }) {
  const { now } = context;
  const { days } = context.stores.dayRows;
  const dueDays = (kind: ArchiveKind): Promise<number[]> =>
    days[kind].listBefore(now().getTime() - afterDays * DAY_MS, now());

  async function oldestWaitingMs(): Promise<number> {
    const due = (await Promise.all(archiveKinds.map(dueDays))).flat();
    return due.length === 0 ? 0 : now().getTime() - (Math.min(...due) + 1 + afterDays) * DAY_MS;
  }

  const moving = { ...context, metrics: createArchiveMetrics({ ...context, oldestWaitingMs }) };
  return async (signal: AbortSignal): Promise<void> => {
    for (const kind of archiveKinds) {
      for (const day of await dueDays(kind)) {
        signal.throwIfAborted();
        try {
          await moveDay(moving, kind, day, signal);
        } catch (error) {
          if (signal.aborted) throw error;
          const named = { kind, day: dateOfDay(day) };
          context.logger.warn({ err: error, ...named }, "a day was not moved; the next sweep continues");
        }
      }
    }
  };
}

/** Moves a day, unless a file of it cannot be written: then the day stays. */
async function moveDay(context: Moving, kind: ArchiveKind, day: number, signal: AbortSignal): Promise<void> {
  const { stores, logger, now } = context;
  const { dayRows, archives } = stores;
  const named = { kind, day: dateOfDay(day) };
  let inFiles = 0;
  for (
    let workspaceId = await dayRows.nextWorkspace(kind, day, "");
    workspaceId !== undefined;
    workspaceId = await dayRows.nextWorkspace(kind, day, workspaceId)
  ) {
    inFiles += await moveRows(context, { workspaceId, kind, day }, signal);
  }
  // A failure, or rows that came while the files were written.
  if ((await dayRows.countAll(kind, day)) !== inFiles) {
    logger.warn(named, "a day has rows that are in no file; the next sweep retries");
    return;
  }
  // First: if this process ends here, the files are compared with the collection again, and no row is doubled.
  await archives.forgetStored(kind, day);
  if (await dayRows.days[kind].drop(day, now()))
    logger.info({ ...named, rows: inFiles }, "day moved to files");
}

/** Makes sure that the file of a workspace has its rows. Returns their number, or 0 if it cannot be written now. */
async function moveRows(context: Moving, part: ArchivePart, signal: AbortSignal): Promise<number> {
  const { stores, metrics, logger } = context;
  signal.throwIfAborted();
  try {
    const before = await stores.archives.get(part.workspaceId, archiveId(part));
    const stored = await stores.dayRows.count(part);
    if (before?.storedRows === stored) return stored;
    const archive = await writeArchive(context, part, before, signal);
    metrics.written(archive);
    return archive.storedRows ?? 0;
  } catch (error) {
    if (signal.aborted) throw error;
    metrics.failed(part.kind);
    // The other files of the day would fail too, each after a time-out.
    if (isUnavailable(error)) throw error;
    const { workspaceId, kind, day } = part;
    logger.warn(
      { err: error, workspaceId, kind, day: dateOfDay(day) },
      "the file of a day was not written; the next sweep retries",
    );
    return 0;
  }
}
