import { encodeFeedCursor } from "@asset-register/proto/feed-cursor";
import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import {
  cursorOfHead,
  emptyHead,
  type FeedEntry,
  placeOf,
  visibleTypes,
} from "../../domain/feed/feed-entry.ts";
import { readPlace } from "./read-place.ts";

/** Bytes of a page. */
export const PAGE_BYTES = 1_048_576;

export type ListEntries = {
  /** A cursor, or "latest". Absent: the oldest entry that is kept is the first. */
  after?: string | undefined;
  /** Empty: every type that the caller may see. */
  types: readonly string[];
  assetId?: string | undefined;
  limit: number;
};

export type EntryPage = { entries: FeedEntry[]; nextAfter: string; hasMore: boolean };

/**
 * The entries after a place, of the types that the caller may see. `nextAfter` is also after the entries that the filter
 * leaves out. Entries between `firstSeq` of the head and its newest are there until the end of the call: see
 * removeOldEntries.
 */
export async function listEntries(
  context: Pick<Context, "stores">,
  { after, types, assetId, limit }: ListEntries,
  { workspaceId, principal }: Pick<Call, "workspaceId" | "principal">,
): Promise<EntryPage> {
  const { stores } = context;
  const head = (await stores.feedHeads.get(workspaceId)) ?? emptyHead(workspaceId);
  const end = { entries: [], nextAfter: cursorOfHead(head), hasMore: false };
  if (after === "latest") return end;
  const from = after === undefined ? head.firstSeq - 1 : (await readPlace(context, head, after)).seq;
  const wanted = typesOf(types, visibleTypes(principal));
  if (from >= head.seq || wanted?.length === 0) return end;
  const range = { after: from, until: head.seq, types: wanted, assetId };
  const { entries, more } = await stores.feedEntries.read(workspaceId, range, { limit, bytes: PAGE_BYTES });
  const last = entries.at(-1);
  if (last === undefined || !more) return { ...end, entries };
  return { entries, nextAfter: encodeFeedCursor(placeOf(last)), hasMore: true };
}

/** Undefined: all types. Types that the caller may not see are left out silently. */
function typesOf(
  wanted: readonly string[],
  visible: readonly string[] | undefined,
): readonly string[] | undefined {
  if (wanted.length === 0) return visible;
  return visible === undefined ? wanted : wanted.filter((type) => visible.includes(type));
}
