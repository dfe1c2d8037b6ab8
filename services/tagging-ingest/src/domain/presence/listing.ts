import type { Presence } from "./presence.ts";

/** Where a tag is listed: in a zone, since an instant (milliseconds of the epoch), with its asset. */
export type Listing = { zoneId: string; since: number; assetId?: string | undefined };

/** The listing of a tag; undefined when it is in no zone, and for a ghost. Reads of the same stay do not change it. */
export function listingOf({ place, assetId, ghostSecond }: Presence): Listing | undefined {
  return place?.zoneId === undefined || ghostSecond !== undefined
    ? undefined
    : { zoneId: place.zoneId, since: place.since, assetId };
}

export function isSameListing(one: Listing | undefined, other: Listing | undefined): boolean {
  return one?.zoneId === other?.zoneId && one?.since === other?.since && one?.assetId === other?.assetId;
}
