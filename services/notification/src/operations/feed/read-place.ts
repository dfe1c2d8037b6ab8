import {
  decodeFeedCursor,
  encodeFeedCursor,
  type FeedPlace,
  feedMark,
} from "@asset-register/proto/feed-cursor";
import { AppError, invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  cursorOfHead,
  emptyHead,
  type FeedHead,
  placeOf,
  placeOfHead,
} from "../../domain/feed/feed-entry.ts";

/**
 * The place of a cursor in the feed of a workspace.
 *
 * @throws AppError invalid on the field `after`, if it is no cursor of this feed
 * @throws AppError CURSOR_EXPIRED, if its entry is not kept any more, or a restore lost it
 */
export async function readPlace(
  { stores }: Pick<Context, "stores">,
  head: FeedHead,
  cursor: string,
): Promise<FeedPlace> {
  const place = decodeFeedCursor(head.workspaceId, cursor);
  if (place === undefined)
    throw invalid([{ field: "after", message: "is not a cursor of the events of this workspace" }]);
  if (await isKept(stores, head, place)) return place;
  throw await cursorExpired(stores, head);
}

async function isKept(
  stores: Pick<Context["stores"], "feedEntries">,
  head: FeedHead,
  { workspaceId, seq, mark }: FeedPlace,
): Promise<boolean> {
  if (seq === 0) return head.firstSeq === 1;
  if (seq < head.firstSeq || seq > head.seq) return false;
  // Most readers have seen the newest entry.
  if (seq === head.seq) return placeOfHead(head).mark === mark;
  const entry = await stores.feedEntries.at(workspaceId, seq);
  return entry !== undefined && feedMark(entry.id) === mark;
}

async function cursorExpired(
  stores: Pick<Context["stores"], "feedEntries">,
  head: FeedHead,
): Promise<AppError> {
  // A cursor is exclusive. Before the first entry ever is a place; later the oldest row has expired and only marks one.
  const oldest =
    head.firstSeq === 1 ? undefined : await stores.feedEntries.at(head.workspaceId, head.firstSeq);
  const message =
    oldest === undefined ? cursorOfHead(emptyHead(head.workspaceId)) : encodeFeedCursor(placeOf(oldest));
  return new AppError({
    ...{ kind: "not_found", code: "CURSOR_EXPIRED" },
    message:
      "Events after this cursor are not kept any more. Read on without it, or after the oldest cursor.",
    violations: [{ field: "oldest_cursor", message }],
  });
}
