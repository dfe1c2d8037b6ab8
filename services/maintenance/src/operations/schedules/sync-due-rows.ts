import type { ClientSession } from "@asset-register/mongo";
import { batches } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { isGone, type KnownAsset } from "../../domain/assets/asset.ts";
import type { DueRow } from "../../domain/schedules/due-row.ts";
import type { PmSchedule } from "../../domain/schedules/pm-schedule.ts";
import { today } from "../today.ts";
import { addRows } from "./write-rows.ts";

/** Assets of one transaction. */
const CHUNK = 200;

/**
 * Makes the due rows of assets those that their present category and state require: an asset that joins a category gets
 * rows, one that leaves loses them, and the own schedules of a disposed or deleted asset end. It compares what is stored,
 * so repeats and any order of events have the same effect.
 */
export async function syncDueRows(
  context: Context,
  workspaceId: string,
  assetIds: readonly string[],
): Promise<void> {
  const { mongo, stores } = context;
  if (!(await concernsSchedules(context, workspaceId, assetIds))) return;
  const workspace = await stores.workspaces.get(workspaceId);
  const timeZone = workspace?.timeZone ?? "UTC";
  const all = [...new Set(assetIds)];
  for (const ids of batches(all, CHUNK)) {
    await mongo.transaction({}, (session) => syncChunk(context, { workspaceId, ids, timeZone }, session));
  }
}

/** Most assets have no schedule: that costs three reads of an index. */
async function concernsSchedules(
  { stores }: Context,
  workspaceId: string,
  assetIds: readonly string[],
): Promise<boolean> {
  if (assetIds.length === 0) return false;
  if (await stores.pmSchedules.hasCategorySchedules(workspaceId)) return true;
  return (await stores.pmSchedules.ofAssets(workspaceId, [...assetIds])).length > 0;
}

async function syncChunk(
  context: Context,
  { workspaceId, ids, timeZone }: { workspaceId: string; ids: string[]; timeZone: string },
  session: ClientSession,
): Promise<void> {
  const { stores, now } = context;
  const assets = [...(await stores.assets.getMany(workspaceId, ids, session)).values()];
  const known = assets.map(({ id }) => id);
  const own = await stores.pmSchedules.ofAssets(workspaceId, known, session);
  const rows = await stores.dueRows.ofAssets(workspaceId, known, session);
  const { wanted, unsure } = await schedulesOf(context, workspaceId, assets, session);

  await endOwn(context, workspaceId, own, assets, session);
  const gone = new Set(assets.filter(isGone).map(({ id }) => id));
  const ownIds = new Set(own.map(({ id }) => id));
  const isWanted = ({ assetId, pmScheduleId }: DueRow) =>
    !gone.has(assetId) &&
    (ownIds.has(pmScheduleId) || unsure.has(assetId) || wanted.get(pmScheduleId)?.assetIds.has(assetId));
  const left = rows.filter((row) => !isWanted(row)).map(({ id }) => id);
  await stores.dueRows.removeMany(workspaceId, left, session);

  for (const { schedule, assetIds } of wanted.values()) {
    const present = new Set(
      rows.filter((row) => row.pmScheduleId === schedule.id).map(({ assetId }) => assetId),
    );
    const joining = [...assetIds].filter((id) => !present.has(id));
    if (joining.length === 0) continue;
    // A change or deletion of the schedule at the same time would miss the new rows.
    const current = await stores.pmSchedules.touch(workspaceId, schedule.id, session);
    if (current === undefined || current.status === "ended") continue;
    const at = now();
    const joined = { schedule: current, assetIds: joining, timeZone, joinedOn: today(at, timeZone), now: at };
    await addRows(context, joined, session);
  }
}

type Wanted = Map<string, { schedule: PmSchedule; assetIds: Set<string> }>;

/**
 * The schedules of the categories of assets, with their assets. `unsure` are assets in a category whose own event has not
 * arrived: they keep their rows until then.
 */
async function schedulesOf(
  { stores }: Context,
  workspaceId: string,
  assets: readonly KnownAsset[],
  session: ClientSession,
): Promise<{ wanted: Wanted; unsure: Set<string> }> {
  const live = assets.filter((asset) => !isGone(asset));
  const categoryIds = [...new Set(live.flatMap(({ categoryId }) => categoryId ?? []))];
  const known = await stores.categories.getMany(workspaceId, categoryIds, session);
  const paths = await stores.categories.pathsOf(workspaceId, categoryIds, session);
  const schedules = await stores.pmSchedules.ofCategories(
    workspaceId,
    [...new Set([...paths.values()].flat())],
    session,
  );
  const wanted: Wanted = new Map();
  for (const { id, categoryId } of live) {
    const path = categoryId === undefined ? [] : (paths.get(categoryId) ?? []);
    for (const schedule of schedules) {
      if (schedule.categoryId === undefined || !path.includes(schedule.categoryId)) continue;
      const entry = wanted.get(schedule.id) ?? { schedule, assetIds: new Set() };
      wanted.set(schedule.id, entry);
      entry.assetIds.add(id);
    }
  }
  const unsure = live.filter(({ categoryId }) => categoryId !== undefined && !known.has(categoryId));
  return { wanted, unsure: new Set(unsure.map(({ id }) => id)) };
}

async function endOwn(
  { stores }: Context,
  workspaceId: string,
  own: readonly PmSchedule[],
  assets: readonly KnownAsset[],
  session: ClientSession,
): Promise<void> {
  const of = (gone: readonly KnownAsset[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    return own.filter(({ assetId = "" }) => ids.has(assetId)).map(({ id }) => id);
  };
  const deleted = of(assets.filter((asset) => asset.deleted));
  const disposed = of(assets.filter((asset) => asset.disposed && !asset.deleted));
  if (deleted.length > 0) await stores.pmSchedules.end(workspaceId, deleted, "asset_deleted", session);
  if (disposed.length > 0) await stores.pmSchedules.end(workspaceId, disposed, "asset_disposed", session);
}
