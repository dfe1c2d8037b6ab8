import { firstRead } from "../../domain/presence/confidence.ts";
import type { Place } from "../../domain/presence/place.ts";
import { type Presence, type Suspended, unseen } from "../../domain/presence/presence.ts";
import { ONE_SECOND } from "../../domain/presence/seconds.ts";
import { decodeRecentReads, encodeRecentReads } from "../ingest/recent-reads.ts";
import { decodePropertyRead, encodePropertyRead } from "./property-read.ts";

/**
 * A presence as it is stored. Its lists are one text: with documents a state takes up to 2 KiB, and each read rewrites
 * it. So it has less than 1.25 KiB beside its waiting reads.
 */
export type StateDocument = Pick<
  Presence,
  "pending" | "appliedAt" | "assetId" | "previous" | "ghostSecond"
> & {
  /** The version of the rules. Rows of releases before 2 have none. Since 3, a tag in a zone is listed (present-tags.ts). */
  v?: number | undefined;
  place?: Omit<Place, "seconds" | "others" | "counts"> | undefined;
  /** Its readers are the `awaits` of the row. */
  suspended?: Omit<Suspended, "readerIds"> | undefined;
  /** See recent-reads.ts. */
  recent?: string | undefined;
  /** See property-read.ts. */
  property?: string | undefined;
};

const VERSION = 3;
const LISTED_SINCE = 3;
const NO_LISTS = { seconds: ONE_SECOND, others: [], rivals: [], bursts: [], reported: [] };

export function encodeState(presence: Presence): StateDocument {
  const { pending, appliedAt, assetId, previous, ghostSecond, place, suspended } = presence;
  const lists = { ...NO_LISTS, counts: firstRead(appliedAt), ...presence, ...place };
  return {
    ...{ v: VERSION, pending, appliedAt, assetId, previous, ghostSecond },
    place: place && withoutLists(place),
    suspended: suspended && { since: suspended.since, until: suspended.until },
    recent: encodeRecentReads(lists, appliedAt),
    property: encodePropertyRead(presence, appliedAt),
  };
}

function withoutLists({
  seconds: _,
  others: __,
  counts: ___,
  ...place
}: Place): Omit<Place, "seconds" | "others" | "counts"> {
  return place;
}

/** Whether the row of the tag's zone was written with this state. */
export const isListed = ({ v = 0 }: StateDocument): boolean => v >= LISTED_SINCE;

/** The presence of a stored state. One without a version keeps its place, since and last read, and what waits. */
export function decodeState(state: StateDocument, awaits: readonly string[] = []): Presence {
  const { v, pending, appliedAt, assetId, previous, ghostSecond, suspended, recent = "" } = state;
  const kept = { ...unseen(), pending, appliedAt, assetId };
  if (v === undefined) {
    const first = { seconds: ONE_SECOND, others: [], counts: firstRead(appliedAt) };
    const place = state.place && { ...state.place, rssi: undefined, ...first };
    return { ...kept, place };
  }
  const { seconds, others, counts, ...lists } = decodeRecentReads(recent, appliedAt);
  const { elsewhere } = lists;
  return {
    ...kept,
    ...lists,
    ...decodePropertyRead(state.property, appliedAt, { place: state.place, elsewhere }),
    previous,
    ghostSecond,
    place: state.place && { ...state.place, seconds, others, counts },
    suspended: suspended && { ...suspended, readerIds: [...awaits] },
  };
}
