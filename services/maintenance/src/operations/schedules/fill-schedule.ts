import type { Chunk, ClientSession, Step } from "@asset-register/mongo";
import { AppError } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Clients } from "../../clients.ts";
import type { Stores } from "../../context.ts";
import type { PmSchedule } from "../../domain/pm-schedule.ts";
import type { Filling, ScheduleDocument } from "../../store/pm-schedules.ts";
import { today } from "../today.ts";
import { addRows, recomputeRows } from "./write-rows.ts";

export type FillingParts = { stores: Stores; clients: Clients; now(): Date };

/** Assets of one step. The readings of a metered schedule are read with them. */
const PAGE = 1_000;
const METERED_PAGE = 200;

/** The steps of a filling, see Filling. Each handles one page of assets. */
export function createFiller(parts: FillingParts): Step<ScheduleDocument> {
  const { stores, clients, now } = parts;

  return async (document, { signal }) => {
    const schedule = stores.pmSchedules.toRecord(document);
    const { workspaceId } = schedule;
    const { timeZone } = await requireActive(parts, workspaceId);
    const filling = document.filling ?? { phase: "verify", after: "" };
    switch (filling.phase) {
      case "recompute":
        return recompute(schedule, filling, timeZone);
      case "add":
        return add(schedule, filling, { timeZone, signal });
      case "verify":
        return verify(schedule, filling, { timeZone, signal });
    }
  };

  async function recompute(schedule: PmSchedule, filling: Filling, timeZone: string): Promise<FillingChunk> {
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
      save: (session) => recomputeRows(stores, { schedule, assetIds, timeZone }, session),
    };
  }

  async function add(
    schedule: PmSchedule,
    filling: Filling,
    { timeZone, signal }: { timeZone: string; signal: AbortSignal },
  ): Promise<FillingChunk> {
    const page = await nextAssets(schedule, filling.after, signal);
    if (page === "category deleted") return ended(schedule);
    const { assetIds, isLast, total } = page;
    const next: Filling = isLast
      ? { phase: "verify", after: "" }
      : { ...filling, after: assetIds.at(-1) ?? filling.after };
    const { joinedOn } = filling;
    return {
      progress: progressAfter(schedule, assetIds.length, total),
      set: { filling: next },
      save: (session) => addRows(stores, { schedule, assetIds, timeZone, joinedOn, now: now() }, session),
    };
  }

  /**
   * An asset that left the category while its page was added had no row to lose then. So the rows are compared with the
   * projection afterwards. The register is asked about an asset that seems to have left, since the projection may be late.
   */
  async function verify(
    schedule: PmSchedule,
    filling: Filling,
    { timeZone, signal }: { timeZone: string; signal: AbortSignal },
  ): Promise<FillingChunk> {
    const { id, workspaceId, progress } = schedule;
    const rows = await stores.dueRows.after(workspaceId, id, { assetId: filling.after, limit: PAGE });
    const assetIds = rows.map(({ assetId }) => assetId);
    const projected = await stores.assets.getMany(workspaceId, assetIds);
    const doubtful = await outside(schedule, assetIds, projected);
    const left =
      doubtful.length === 0
        ? []
        : await outside(schedule, doubtful, await clients.findAssets(workspaceId, doubtful, signal));
    const isLast = rows.length < PAGE;
    return {
      progress: isLast ? { done: progress.total, total: progress.total } : progress,
      set: { filling: isLast ? undefined : { ...filling, after: assetIds.at(-1) ?? filling.after } },
      ...(isLast && { status: "active", inc: { rev: 1 } }),
      async save(session, record) {
        // An asset may have joined again since the answer: its event is applied before or after this transaction.
        const current = await stores.assets.touchMany(workspaceId, left, session);
        const gone = new Set(await outside(schedule, left, current, session));
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
      if (asset === undefined || asset.disposed || asset.deleted || asset.categoryId === undefined)
        return true;
      // The event of a new category may still be on its way.
      const isKnown = known.has(asset.categoryId);
      return isKnown && !paths.get(asset.categoryId)?.includes(categoryId);
    });
  }

  async function nextAssets(
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

  function ended({ id, workspaceId, progress }: PmSchedule): FillingChunk {
    return {
      ...{
        progress,
        status: "ended",
        set: { filling: undefined, endedReason: "category_deleted" },
        inc: { rev: 1 },
      },
      save: (session) => stores.dueRows.removeOfSchedule(workspaceId, id, session),
    };
  }
}

type FillingChunk = Chunk<ScheduleDocument>;

const pageOf = ({ meterInterval }: PmSchedule): number => (meterInterval === undefined ? PAGE : METERED_PAGE);

/** A change counts its recomputed rows, and then no more than the total. */
function progressAfter({ progress }: PmSchedule, handled: number, total = progress.total) {
  const most = Math.max(total, progress.total);
  return { done: Math.min(progress.done + handled, most), total: most };
}
