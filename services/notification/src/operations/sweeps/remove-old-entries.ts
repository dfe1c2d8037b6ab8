import type { Context } from "../../context.ts";
import type { FeedHead } from "../../domain/feed/feed-entry.ts";
import { firstKept } from "../../domain/feed/first-kept.ts";

/** A day longer than events are news: an event that is read again finds its entry. */
const KEPT_MS = 31 * 86_400_000;
/** Longer than a call that has read the head of a feed may go on. */
const READERS_MS = 60_000;
const PAGE = 500;
const CHUNK = 2_000;

/**
 * Removes old entries: a prefix of each feed, never its newest entry. First it raises the number of the first entry, so
 * that no reader begins before it any more. A later sweep removes the entries, when earlier readers have ended.
 */
export async function removeOldEntries(context: Context, signal: AbortSignal): Promise<void> {
  const { stores, logger } = context;
  for (let afterId = ""; !signal.aborted; ) {
    const heads = await stores.feedHeads.list({ afterId, limit: PAGE });
    for (const head of heads) {
      if (signal.aborted) return;
      try {
        await removeOfWorkspace(context, head, signal);
      } catch (error) {
        const { workspaceId } = head;
        logger.warn({ err: error, workspaceId }, "old events were not removed; the next sweep retries");
      }
    }
    const end = heads.at(-1);
    if (end === undefined || heads.length < PAGE) return;
    afterId = end.id;
  }
}

async function removeOfWorkspace(
  { stores, now }: Context,
  { workspaceId, seq: last, firstSeq: first, firstSeqAt }: FeedHead,
  signal: AbortSignal,
): Promise<void> {
  const at = now().getTime();
  if (firstSeqAt !== undefined && at - firstSeqAt.getTime() > READERS_MS) {
    while (!signal.aborted && (await stores.feedEntries.removeBefore(workspaceId, first, CHUNK)));
  }
  const kept = await firstKept({ first, last }, async (seq) => {
    const entry = await stores.feedEntries.at(workspaceId, seq);
    return entry !== undefined && at - entry.insertedAt.getTime() > KEPT_MS;
  });
  // The last expired entry stays: a client that has seen it, and nothing since, has missed nothing.
  const anchor = kept - 1;
  if (anchor > first) await stores.feedHeads.raiseFirst(workspaceId, anchor);
}
