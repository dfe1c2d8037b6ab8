import type { Call } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type FeedEntry, visibleTypes } from "../../domain/feed/feed-entry.ts";

/** One entry. An entry of a type that the caller may not see is not found, nor is one that will be removed soon. */
export async function getEntry(
  { stores }: Pick<Context, "stores">,
  id: string,
  { workspaceId, principal }: Pick<Call, "workspaceId" | "principal">,
): Promise<FeedEntry> {
  const [entry, head] = await Promise.all([
    stores.feedEntries.get(workspaceId, id),
    stores.feedHeads.get(workspaceId),
  ]);
  const visible = visibleTypes(principal);
  const isVisible = entry && (visible?.some((type) => type === entry.type) ?? true);
  if (entry === undefined || !isVisible || entry.seq < (head?.firstSeq ?? 1)) throw notFound("event");
  return entry;
}
