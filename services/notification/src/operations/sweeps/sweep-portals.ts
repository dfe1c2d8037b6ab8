import { topics } from "@asset-register/proto/topics";
import type { Context } from "../../context.ts";
import { FIRST_PORTAL, type PortalPlace } from "../../store/projections/offline-readers.ts";
import { OFFLINE_AFTER_MS, reportOffline } from "../feed/report-readers.ts";
import { BEHIND_MS } from "./sweep-silence.ts";

/** Portals of one page. Those of a workspace are one transaction, which has at most 500 entries. */
const PAGE = 500;

/** Finds the portals of all workspaces that are offline. A disabled workspace is skipped. */
export async function sweepPortals(context: Context, signal: AbortSignal): Promise<void> {
  const { stores, now, lag, logger } = context;
  const until = new Date(now().getTime() - OFFLINE_AFTER_MS);
  for (let after: PortalPlace = FIRST_PORTAL; !signal.aborted; ) {
    const readers = await stores.offlineReaders.listSilent(until, after, PAGE);
    if (readers.length === 0) return;
    // Our own delay would look like silence. The transaction sees reads that have arrived since the page was read.
    if (await lag.isBehind([topics.reader, topics.readerLiveness], BEHIND_MS)) return;
    for (const [workspaceId, own] of Map.groupBy(readers, (reader) => reader.workspaceId)) {
      try {
        if (!(await stores.workspaces.isDisabled(workspaceId)))
          await reportOffline(context, workspaceId, own, signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ err: error, workspaceId }, "portals were not reported; the next sweep retries");
      }
    }
    const end = readers.at(-1);
    if (end?.lastSeenAt === undefined || readers.length < PAGE) return;
    after = { lastSeenAt: end.lastSeenAt, id: end.id };
  }
}
