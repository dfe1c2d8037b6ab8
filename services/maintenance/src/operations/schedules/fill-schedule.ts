import {
  type Chunk,
  type ClientSession,
  createLongWork,
  type LongWork,
  type StepCall,
} from "@asset-register/mongo";
import { AppError } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { PmSchedule } from "../../domain/schedules/pm-schedule.ts";
import { type Filling, pmScheduleRecords, type ScheduleDocument } from "../../store/pm-schedules.ts";
import { today } from "../today.ts";
import { addRows, recomputeRows } from "./write-rows.ts";

/** How the waiting times of the work differ in tests. */
export type FillingSettings = { leaseMs?: number };

/** Assets of one step. The readings of a metered schedule are read with them. */
const PAGE = 1_000;
const METERED_PAGE = 200;

type FillingChunk = Chunk<ScheduleDocument>;

/** Fills the due rows of schedules, see Filling. Each step handles one page of assets. */
export function createFilling(
  context: Context,
  { leaseMs }: FillingSettings = {},
): LongWork<ScheduleDocument> {
  return createLongWork<ScheduleDocument>({
    ...{ ...context, collection: pmScheduleRecords.collection, leaseMs },
    // A filling has no failed state: its steps end the schedule or are retried.
    statuses: { filling: { failed: "active" } },
    step: (document, call) => fillSchedule(context, document, call),
  });
}

async function fillSchedule(
  context: Context,
  document: ScheduleDocument,
  { signal }: StepCall,
): Promise<FillingChunk> {
  const schedule = context.stores.pmSchedules.toRecord(document);
  const { timeZone } = await requireActive(context, schedule.workspaceId);
  const filling = document.filling ?? { phase: "verify", after: "" };
  switch (filling.phase) {
    case "recompute":
      return recompute(context, schedule, filling, timeZone);
    case "add":
      return add(context, schedule, filling, { timeZone, signal });
    case "verify":
      return verify(context, schedule, filling, { timeZone, signal });
  }
}

async function recompute(
  context: Context,
  schedule: PmSchedule,
  filling: Filling,
  timeZone: string,
): Promise<FillingChunk> {
  const { stores, now } = context;
  const { id, workspaceId } = schedule;
  const limit = pageOf(schedule);
  const rows = await stores.dueRows.after(workspaceId, id, { assetId: filling.after, limit });
  const assetIds = rows.map(({ assetId }) => assetId);
  const isLast = rows.length < limit;
  const next: Filling = isLast
    ? { phase: "add", after: "", joinedOn: today(now(), timeZone) }
    : { ...filling, after: assetIds.at(-1) ?? filling.after };
  return {
    progress: progressAfter(schedule, rows.length),
    set: { filling: next },
    save: (session) => recomputeRows(context, { schedule, assetIds, timeZone }, session),
  };
}

async function add(
  context: Context,
  schedule: PmSchedule,
  filling: Filling,
  { timeZone, signal }: { timeZone: string; signal: AbortSignal },
): Promise<FillingChunk> {
  const { now } = context;
  const page = await nextAssets(context, schedule, filling.after, signal);
  if (page === "category deleted") return ended(context, schedule);
  const { assetIds, isLast, total } = page;
  const next: Filling = isLast
    ? { phase: "verify", after: "" }
    : { ...filling, after: assetIds.at(-1) ?? filling.after };
  const { joinedOn } = filling;
  return {
    progress: progressAfter(schedule, assetIds.length, total),
    set: { filling: next },
    save: (session) => addRows(context, { schedule, assetIds, timeZone, joinedOn, now: now() }, session),
  };
}

/**
 * An asset that left the category while its page was added had no row to lose then. So the rows are compared with the
 * projection afterwards. The register is asked about an asset that seems to have left, since the projection may be late.
 */
async function verify(
  context: Context,
  schedule: PmSchedule,
  filling: Filling,
  { timeZone, signal }: { timeZone: string; signal: AbortSignal },
): Promise<FillingChunk> {
  const { stores, clients, now } = context;
  const { id, workspaceId, progress } = schedule;
  const rows = await stores.dueRows.after(workspaceId, id, { assetId: filling.after, limit: PAGE });
  const assetIds = rows.map(({ assetId }) => assetId);
  const projected = await stores.assets.getMany(workspaceId, assetIds);
  const doubtful = await outside(context, schedule, assetIds, projected);
  const left =
    doubtful.length === 0
      ? []
      : await outside(context, schedule, doubtful, await clients.findAssets(workspaceId, doubtful, signal));
  const isLast = rows.length < PAGE;
  return {
    progress: isLast ? { done: progress.total, total: progress.total } : progress,
    set: { filling: isLast ? undefined : { ...filling, after: assetIds.at(-1) ?? filling.after } },
    ...(isLast && { status: "active", inc: { rev: 1 } }),
    async save(session, record) {
      // An asset may have joined again since the answer: its event is applied before or after this transaction.
      const current = await stores.assets.touchMany(workspaceId, left, session);
      const gone = new Set(await outside(context, schedule, left, current, session));
      const removed = rows.filter(({ assetId }) => gone.has(assetId)).map((row) => row.id);
      await stores.dueRows.removeMany(workspaceId, removed, session);
      if (!isLast || !record.again) return;
      const again: Filling = { phase: "add", after: "", joinedOn: today(now(), timeZone) };
      await stores.pmSchedules.startFilling(workspaceId, id, { filling: again, total: 0 }, session);
    },
  };
}

/** Which assets are known to be outside the category of the schedule. */
async function outside(
  { stores }: Context,
  { workspaceId, categoryId = "" }: PmSchedule,
  assetIds: readonly string[],
  assets: ReadonlyMap<string, { categoryId?: string | undefined; disposed: boolean; deleted: boolean }>,
  session?: ClientSession,
): Promise<string[]> {
  const categoryIds = [...assets.values()].flatMap((asset) => asset.categoryId ?? []);
  const paths = await stores.categories.pathsOf(workspaceId, categoryIds, session);
  const known = await stores.categories.getMany(workspaceId, [...new Set(categoryIds)], session);
  return assetIds.filter((assetId) => {
    const asset = assets.get(assetId);
    if (asset === undefined || asset.disposed || asset.deleted || asset.categoryId === undefined) return true;
    // The event of a new category may still be on its way.
    const isKnown = known.has(asset.categoryId);
    return isKnown && !paths.get(asset.categoryId)?.includes(categoryId);
  });
}

async function nextAssets(
  { stores, clients }: Context,
  schedule: PmSchedule,
  after: string,
  signal: AbortSignal,
): Promise<{ assetIds: string[]; isLast: boolean; total?: number | undefined } | "category deleted"> {
  const { workspaceId, categoryId = "" } = schedule;
  const limit = pageOf(schedule);
  try {
    const page = await clients.listCategory(workspaceId, categoryId, {
      afterId: after || undefined,
      limit,
      signal,
    });
    const assetIds = page.assets.map(({ id }) => id);
    return { assetIds, isLast: page.nextAfterId === undefined, total: page.total };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "NOT_FOUND") return "category deleted";
    if (error.code !== "TREE_TOO_LARGE") throw error;
  }
  // The tree has grown since the schedule was saved.
  const categoryIds = await stores.categories.withBelow(workspaceId, categoryId);
  const assetIds = await stores.assets.inCategories(workspaceId, categoryIds, { after, limit });
  return { assetIds, isLast: assetIds.length < limit };
}

function ended({ stores }: Context, { id, workspaceId, progress }: PmSchedule): FillingChunk {
  return {
    ...{ progress, status: "ended", inc: { rev: 1 } },
    set: { filling: undefined, endedReason: "category_deleted" },
    save: (session) => stores.dueRows.removeOfSchedule(workspaceId, id, session),
  };
}

const pageOf = ({ meterInterval }: PmSchedule): number => (meterInterval === undefined ? PAGE : METERED_PAGE);

/** A change counts its recomputed rows, and then no more than the total. */
function progressAfter({ progress }: PmSchedule, handled: number, total = progress.total) {
  const most = Math.max(total, progress.total);
  return { done: Math.min(progress.done + handled, most), total: most };
}
