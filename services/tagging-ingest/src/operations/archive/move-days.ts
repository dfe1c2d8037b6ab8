import { isUnavailable } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { type ArchiveKind, type ArchivePart, archiveId, archiveKinds } from "../../domain/archive/archive.ts";
import { dateOfDay } from "../../domain/utc-day.ts";
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
      await days[kind].recover();
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
  const { dayRows } = stores;
  const collectionId = await dayRows.days[kind].collectionId(day);
  const inFiles =
    collectionId === undefined ? 0 : await writeFiles(context, { kind, day, collectionId }, signal);
  if (inFiles === undefined) return;
  signal.throwIfAborted();
  const named = { kind, day: dateOfDay(day), rows: inFiles };
  if (await dayRows.days[kind].drop(day, now(), { rows: inFiles, signal }))
    logger.info(named, "day moved to files");
  else logger.warn(named, "a day is kept, or has rows that are in no file; the next sweep continues");
}

type Collection = Omit<ArchivePart, "workspaceId"> & { collectionId: string };

/** Makes sure that the files of a day have its rows. Returns their number, or undefined if one cannot be written now. */
async function writeFiles(context: Moving, collection: Collection, signal: AbortSignal) {
  const { kind, day } = collection;
  const { dayRows } = context.stores;
  let rows: number | undefined = 0;
  for (
    let workspaceId = await dayRows.nextWorkspace(kind, day, "");
    workspaceId !== undefined;
    workspaceId = await dayRows.nextWorkspace(kind, day, workspaceId)
  ) {
    const written = await writeFile(context, { ...collection, workspaceId }, signal);
    rows = rows === undefined || written === undefined ? undefined : rows + written;
  }
  return rows;
}

/** The same for the file of a workspace. */
async function writeFile(
  context: Moving,
  part: ArchivePart & Collection,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { stores, metrics, logger } = context;
  const { workspaceId, kind, day, collectionId } = part;
  signal.throwIfAborted();
  try {
    const before = await stores.archives.get(workspaceId, archiveId(part));
    const stored = await stores.dayRows.count(part, signal);
    if (before?.storedIn === collectionId && before.storedRows === stored) return stored;
    const archive = await writeArchive(context, part, before, signal);
    metrics.written(archive);
    return archive.storedRows;
  } catch (error) {
    if (signal.aborted) throw error;
    metrics.failed(kind);
    // The other files of the day would fail too, each after a time-out.
    if (isUnavailable(error)) throw error;
    logger.warn(
      { err: error, workspaceId, kind, day: dateOfDay(day) },
      "the file of a day was not written; the next sweep retries",
    );
    return undefined;
  }
}
