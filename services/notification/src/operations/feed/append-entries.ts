import type { ClientSession } from "@asset-register/mongo";
import type { FeedEntry, NewFeedEntry } from "../../domain/feed-entry.ts";
import type { FeedEntryStore } from "../../store/feed-entries.ts";
import type { FeedHeadStore } from "../../store/feed-heads.ts";

/** What appending needs. Not the whole context: its queue appends. */
export type Appending = {
  stores: { feedEntries: FeedEntryStore; feedHeads: FeedHeadStore };
  now(): Date;
};

/**
 * Adds entries to the feed of a workspace, those that it does not have yet, in their order. Returns the newest one.
 * `make` gives the entries, after the feed is locked: until the transaction ends, no other process can add any. So
 * numbers have no gaps, and whoever has seen an entry has seen all before it.
 */
export async function appendEntries(
  { stores, now }: Appending,
  workspaceId: string,
  make: (session: ClientSession) => Promise<readonly NewFeedEntry[]>,
  session: ClientSession,
): Promise<FeedEntry | undefined> {
  const { seq, insertedAt: before } = await stores.feedHeads.lock(workspaceId, session);
  const made = new Map((await make(session)).map((entry) => [entry.id, entry]));
  if (made.size === 0) return undefined;
  const existing = await stores.feedEntries.existing(workspaceId, [...made.keys()], session);
  const insertedAt = new Date(Math.max(now().getTime(), before?.getTime() ?? 0));
  const added = [...made.values()]
    .filter(({ id }) => !existing.has(id))
    .map((entry, index) => ({ ...entry, seq: seq + 1 + index, insertedAt }));
  const newest = added.at(-1);
  if (newest === undefined) return undefined;
  await stores.feedEntries.insert(workspaceId, added, session);
  await stores.feedHeads.advance(workspaceId, newest, session);
  return newest;
}
