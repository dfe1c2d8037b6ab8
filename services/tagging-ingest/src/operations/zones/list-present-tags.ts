import type { Call, PageQuery } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { confidenceOf } from "../../domain/presence/confidence.ts";
import { isSameListing, listingOf } from "../../domain/presence/listing.ts";
import { isFlapping } from "../../domain/presence/move-rule.ts";
import type { StoredPresence } from "../../store/presence/presences.ts";
import type { ListedTag } from "../../store/presence/present-tags.ts";

export type ListPresentTags = { zoneId: string; page: PageQuery };

/** A tag that is in a zone. */
export type PresentTag = {
  tagId?: string | undefined;
  epc: string;
  assetId?: string | undefined;
  since: Date;
  lastReadAt: Date;
  readerId: string;
  flapping: boolean;
  confidence: number;
  suspendedSince?: Date | undefined;
};

/** A part of the list of the tags in a zone. */
export async function listPresentTags(
  { stores, now }: Context,
  { zoneId, page }: ListPresentTags,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<{ tags: PresentTag[]; nextCursor?: string | undefined }> {
  requireFound(await stores.zones.get(workspaceId, zoneId), "zone");
  const { items, nextCursor } = await stores.presentTags.list(workspaceId, zoneId, page);
  const epcs = items.map(({ epc }) => epc);
  const [presences, known] = await Promise.all([
    stores.presences.load(items.map(({ id }) => id)),
    stores.tags.resolve(workspaceId, epcs),
  ]);
  const at = now().getTime();
  const tags: PresentTag[] = [];
  const stale: ListedTag[] = [];
  for (const listed of items) {
    const presence = presences.get(listed.id);
    const shown = presence && isListed(presence, listed) ? toPresentTag(presence, at) : undefined;
    if (shown === undefined) stale.push(listed);
    else {
      // The asset is that of now: the presence learns of a change with the next read.
      const { id: tagId, assetId } = known.get(listed.epc) ?? {};
      tags.push({ ...shown, tagId, assetId });
    }
  }
  // The tag has just left, or a worker of an earlier release did not remove its row.
  await stores.presentTags.removeStale(stale);
  return { tags, nextCursor };
}

function isListed({ state }: StoredPresence, { zoneId, since, assetId }: ListedTag): boolean {
  return isSameListing(listingOf(state), { zoneId, since: since.getTime(), assetId });
}

function toPresentTag({ epc, state }: StoredPresence, now: number): PresentTag | undefined {
  const { place, suspended, moves } = state;
  if (place === undefined) return undefined;
  return {
    epc,
    since: new Date(place.since),
    lastReadAt: new Date(place.lastAt),
    readerId: place.readerId,
    flapping: isFlapping(moves, now),
    confidence: confidenceOf(place, now),
    suspendedSince: suspended && new Date(suspended.since),
  };
}
