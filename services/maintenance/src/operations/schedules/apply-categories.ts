import type { ProjectedState } from "@asset-register/events";
import type { Context } from "../../context.ts";
import type { KnownCategory } from "../../store/categories.ts";
import { today } from "../today.ts";
import { syncDueRows } from "./sync-due-rows.ts";

/** Assets of a new category that are read at once. */
const PAGE = 1_000;

type CategoryState = ProjectedState<KnownCategory>;

/**
 * Projects categories. Schedules above a category that has moved are filled again, those of a deleted one end. The fill is
 * requested before the projection too: after a crash in between, the repeated event shows no move any more.
 */
export async function applyCategories(context: Context, states: readonly CategoryState[]): Promise<void> {
  const { stores } = context;
  for (const [workspaceId, own] of Map.groupBy(states, (state) => state.workspaceId)) {
    const ids = own.map(({ id }) => id);
    const before = await stores.categories.getMany(workspaceId, ids);
    const moved = ids.filter((id) => hasMoved(before.get(id), own));
    const above = await categoriesAbove(context, workspaceId, moved);
    await fillAgain(context, workspaceId, above);
    await stores.categories.project(own);
    await fillAgain(context, workspaceId, [
      ...above,
      ...(await categoriesAbove(context, workspaceId, moved)),
    ]);
    await endDeleted(context, workspaceId, own);
    for (const id of ids.filter((one) => !before.has(one))) await syncBelow(context, workspaceId, id);
  }
}

/** Whether an event names another parent than the stored one. An old event may do so too: to fill again is harmless. */
function hasMoved(before: KnownCategory | undefined, states: readonly CategoryState[]): boolean {
  if (before === undefined) return false;
  return states.some(
    ({ id, fields }) => id === before.id && !fields?.deleted && fields?.parentId !== before.parentId,
  );
}

async function categoriesAbove(
  { stores }: Context,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const paths = await stores.categories.pathsOf(workspaceId, ids);
  return [...paths].flatMap(([id, path]) => path.filter((one) => one !== id));
}

async function fillAgain(
  { stores, now }: Context,
  workspaceId: string,
  categoryIds: readonly string[],
): Promise<void> {
  if (categoryIds.length === 0) return;
  const workspace = await stores.workspaces.get(workspaceId);
  const joinedOn = today(now(), workspace?.timeZone ?? "UTC");
  await stores.pmSchedules.fillAgain(workspaceId, [...new Set(categoryIds)], joinedOn);
}

async function endDeleted(
  { stores }: Context,
  workspaceId: string,
  states: readonly CategoryState[],
): Promise<void> {
  const deleted = states.filter(({ fields }) => fields?.deleted).map(({ id }) => id);
  if (deleted.length === 0) return;
  const schedules = await stores.pmSchedules.ofCategory(workspaceId, deleted);
  const ids = schedules.map(({ id }) => id);
  await stores.pmSchedules.end(workspaceId, ids, "category_deleted");
  // Also of a schedule that a delivery before has ended: it may have stopped here.
  for (const id of ids) await stores.dueRows.removeOfSchedule(workspaceId, id);
}

/** Assets whose events came before that of their category, or of one above it. */
async function syncBelow(context: Context, workspaceId: string, id: string): Promise<void> {
  const { stores } = context;
  const categoryIds = await stores.categories.withBelow(workspaceId, id);
  for (let after = ""; ; ) {
    const assetIds = await stores.assets.inCategories(workspaceId, categoryIds, { after, limit: PAGE });
    await syncDueRows(context, workspaceId, assetIds);
    const last = assetIds.at(-1);
    if (last === undefined || assetIds.length < PAGE) return;
    after = last;
  }
}
