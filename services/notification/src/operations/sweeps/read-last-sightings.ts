import type { Context } from "../../context.ts";

const PAGE = 1000;

/**
 * Reads from the register when and where assets were seen, once for each workspace. The topic of sightings keeps 30
 * days only, and a new database has nothing from before. It continues where it stopped.
 */
export async function readLastSightings(context: Context, signal: AbortSignal): Promise<void> {
  const { stores, logger } = context;
  for (const workspaceId of await stores.firstReadings.listUnread()) {
    if (signal.aborted) return;
    try {
      await readWorkspace(context, workspaceId, signal);
    } catch (error) {
      logger.warn({ err: error, workspaceId }, "last sightings were not read; the next sweep retries");
    }
  }
}

async function readWorkspace(
  { stores, clients }: Context,
  workspaceId: string,
  signal: AbortSignal,
): Promise<void> {
  let afterId = (await stores.firstReadings.get(workspaceId))?.afterId;
  while (!signal.aborted) {
    const page = await clients.listLastSeen(workspaceId, { afterId, limit: PAGE });
    await stores.lastSightings.upsertNewest(page.sightings);
    afterId = page.nextAfterId ?? afterId;
    const done = page.nextAfterId === undefined;
    await stores.firstReadings.save(workspaceId, { afterId, done });
    if (done) return;
  }
}
