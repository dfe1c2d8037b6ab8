import type { Context } from "../../context.ts";
import { takeTurns } from "./take-turns.ts";

const PAGE = 1000;

/**
 * Reads from the register when and where assets were seen, once for each workspace. The topic of sightings keeps 30
 * days only, and a new database has nothing from before. It continues where it stopped.
 */
export async function readLastSightings(
  context: Context,
  signal: AbortSignal,
  everyMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { stores, logger } = context;
  await takeTurns({
    list: stores.firstReadings.listUnread,
    begin: (workspaceId) => readWorkspace(context, workspaceId),
    ...{ everyMs, signal },
    onError: (error, workspaceId) =>
      logger.warn({ err: error, workspaceId }, "last sightings were not read; the next sweep retries"),
  });
}

async function* readWorkspace({ stores, clients }: Context, workspaceId: string): AsyncGenerator<void, void> {
  let afterId = (await stores.firstReadings.get(workspaceId))?.afterId;
  while (true) {
    const page = await clients.listLastSeen(workspaceId, { afterId, limit: PAGE });
    await stores.lastSightings.upsertNewest(page.sightings);
    afterId = page.nextAfterId ?? afterId;
    const done = page.nextAfterId === undefined;
    await stores.firstReadings.save(workspaceId, { afterId, done });
    if (done) return;
    yield;
  }
}
