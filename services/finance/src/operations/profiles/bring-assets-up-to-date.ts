import type { Context } from "../../context.ts";
import { syncAssets } from "./sync-assets.ts";

/**
 * Applies the changes of assets that register has and this service has not got by event. Returns whether none remains
 * after `withinMs`. A later call continues where this one ended.
 *
 * @throws AppError UNAVAILABLE while register is unavailable
 */
export async function bringAssetsUpToDate(
  context: Context,
  workspaceId: string,
  { signal, withinMs }: { signal: AbortSignal; withinMs: number },
): Promise<boolean> {
  const end = performance.now() + withinMs;
  const { cursor } = await context.stores.assetCatchUps.get(workspaceId);
  const pages = await readToEnd(context, workspaceId, { signal, end });
  if (pages === undefined) return false;
  // A change that was stored behind the cursor between two pages is in the next reading.
  if (pages === 1 && cursor === undefined) return true;
  return (await readToEnd(context, workspaceId, { signal, end })) !== undefined;
}

/** Returns the number of pages, or undefined if the time is up before the last one. */
async function readToEnd(
  context: Context,
  workspaceId: string,
  { signal, end }: { signal: AbortSignal; end: number },
): Promise<number | undefined> {
  for (let pages = 1; performance.now() < end; pages++) {
    signal.throwIfAborted();
    if (await applyChangedPage(context, workspaceId, signal)) return pages;
  }
  return undefined;
}

/** Applies one page of the changes, and remembers where it ended. Returns whether it was the last one. */
export async function applyChangedPage(
  context: Context,
  workspaceId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { stores, clients } = context;
  const from = await stores.assetCatchUps.get(workspaceId);
  const { assets, cursor, nextSince } = await clients.listChangedAssets(workspaceId, from, signal);
  await stores.assets.projectAnswer(workspaceId, assets);
  const ids = assets.map(({ id }) => id);
  await syncAssets(context, workspaceId, ids);
  await stores.assetCatchUps.set(workspaceId, {
    since: cursor === undefined ? nextSince : from.since,
    cursor,
  });
  return cursor === undefined;
}
