import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { silenceOf } from "../../domain/alert-rules/condition.ts";
import { feedEntryOf, type NewFeedEntry } from "../../domain/feed/feed-entry.ts";
import { isNews } from "../../domain/webhooks/message.ts";
import { readerMessage } from "../../domain/webhooks/payload.ts";
import type { Reader } from "../../store/projections/readers.ts";
import { enqueueMessages } from "../webhooks/enqueue-messages.ts";

/** A portal that was not heard for so long is offline: 5 minutes, and the delay of liveness. */
export const OFFLINE_AFTER_MS = silenceOf({ type: "reader_offline", minutes: 5 }) ?? 0;

/**
 * Saves and reports that portals are offline, those that were not heard since they were read. State, entries and
 * deliveries are written in one transaction, so a repeat reports nothing. A silence of more than 30 days is no news.
 */
export async function reportOffline(
  context: Context,
  workspaceId: string,
  readers: readonly Reader[],
  signal: AbortSignal,
): Promise<void> {
  await context.feed.add(workspaceId, {
    ...{ size: readers.length, signal },
    async make(session) {
      const offline = await context.stores.readers.goOffline(workspaceId, readers, session);
      return report(context, workspaceId, { type: "reader.offline", readers: offline }, session);
    },
  });
}

/** Saves and reports that readers are online again. Readers that were not reported as offline give nothing. */
export async function reportOnline(
  context: Context,
  heard: readonly { workspaceId: string; id: string }[],
): Promise<void> {
  const { stores, feed, now } = context;
  const reported = await stores.offlineReaders.listReported(heard.map(({ id }) => id));
  const after = new Date(now().getTime() - OFFLINE_AFTER_MS);
  const additions = [...Map.groupBy(reported, ({ workspaceId }) => workspaceId)].map(([workspaceId, own]) =>
    feed.add(workspaceId, {
      size: own.length,
      async make(session) {
        const ids = own.map(({ id }) => id);
        const online = await stores.readers.goOnline(workspaceId, ids, after, session);
        return report(context, workspaceId, { type: "reader.online", readers: online }, session);
      },
    }),
  );
  await Promise.all(additions);
}

async function report(
  context: Context,
  workspaceId: string,
  { type, readers }: { type: "reader.online" | "reader.offline"; readers: readonly Reader[] },
  session: ClientSession,
): Promise<NewFeedEntry[]> {
  const { stores, now } = context;
  const messages = readers.flatMap(({ lastSeenAt, ...reader }) => {
    if (lastSeenAt === undefined || !isNews({ time: lastSeenAt }, now())) return [];
    return readerMessage(type, { ...reader, lastSeenAt }, now());
  });
  if (messages.length > 0 && !(await stores.workspaces.isDisabled(workspaceId)))
    await enqueueMessages(context, workspaceId, messages, session);
  return messages.map(feedEntryOf);
}
