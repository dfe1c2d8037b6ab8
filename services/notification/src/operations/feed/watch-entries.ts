import type { Context } from "../../context.ts";
import { emptyHead, type FeedEntry, type FeedHead } from "../../domain/feed/feed-entry.ts";
import { PAGE_BYTES } from "./list-entries.ts";
import { readPlace } from "./read-place.ts";

/** Entries of one answer to the gateway. */
const LIMIT = 500;

/** How far workspaces are, in order of the ids. */
export async function listHeads(
  { stores }: Pick<Context, "stores">,
  workspaceIds: readonly string[],
): Promise<FeedHead[]> {
  const heads = await stores.feedHeads.getMany(workspaceIds);
  return workspaceIds.map((id) => heads.get(id) ?? emptyHead(id));
}

/** The entries after a place, of all types: the gateway shows each client those that it may see. */
export async function readEntries(
  context: Pick<Context, "stores">,
  workspaceId: string,
  after: string,
): Promise<{ entries: FeedEntry[]; hasMore: boolean }> {
  const { stores } = context;
  const head = (await stores.feedHeads.get(workspaceId)) ?? emptyHead(workspaceId);
  const { seq } = await readPlace(context, head, after);
  if (seq === head.seq) return { entries: [], hasMore: false };
  const range = { after: seq, until: head.seq };
  const { entries, more } = await stores.feedEntries.read(workspaceId, range, {
    ...{ limit: LIMIT, bytes: PAGE_BYTES },
  });
  return { entries, hasMore: more };
}
