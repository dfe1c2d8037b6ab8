import type { ClientSession } from "@asset-register/mongo";
import type { FeedEntry, NewFeedEntry } from "../../domain/feed/feed-entry.ts";
import type { FeedWriteStore } from "../../store/feed/feed-writes.ts";

/** The parts of the context that appending needs. The context itself has the queue, which appends. */
export type Appending = { stores: { feedWrites: FeedWriteStore }; now(): Date };

/** Gives entries of one workspace in the transaction that adds them. Their feed is locked then. */
export type MakeEntries = (session: ClientSession) => Promise<readonly NewFeedEntry[]>;

/** The entries to add to the feed of a workspace, in order. */
export type Additions = { workspaceId: string; makes: readonly MakeEntries[] };

/**
 * Adds entries to the feeds of workspaces, those that they do not have yet, in their order. Returns the added entries. The
 * feeds are locked first: until the transaction ends, no other process can add any. So numbers have no gaps, and whoever
 * has seen an entry has seen all before it.
 */
export async function appendEntries(
  { stores, now }: Appending,
  additions: readonly Additions[],
  session: ClientSession,
): Promise<FeedEntry[]> {
  const workspaceIds = additions.map(({ workspaceId }) => workspaceId);
  const heads = await stores.feedWrites.lock(workspaceIds, session);
  const made = new Map<string, NewFeedEntry>();
  for (const { makes } of additions) {
    for (const make of makes) for (const entry of await make(session)) made.set(entry.id, entry);
  }
  if (made.size === 0) return [];
  const existing = await stores.feedWrites.existing([...made.keys()], session);
  const added: FeedEntry[] = [];
  for (const [workspaceId, own] of Map.groupBy(made.values(), (entry) => entry.workspaceId)) {
    const head = heads.get(workspaceId);
    if (head === undefined) throw new Error(`the feed of ${workspaceId} is not locked`);
    // Times never go back, so that entries that expire are a prefix.
    const insertedAt = new Date(Math.max(now().getTime(), head.insertedAt?.getTime() ?? 0));
    let { seq } = head;
    for (const entry of own) if (!existing.has(entry.id)) added.push({ ...entry, seq: ++seq, insertedAt });
  }
  if (added.length > 0) await stores.feedWrites.insert(added, session);
  return added;
}
