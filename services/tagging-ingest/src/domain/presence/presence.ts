import type { Burst, Reading } from "../ingest/reading.ts";
import type { Clone, PropertyRead, ReportedClone } from "./clone.ts";
import type { Moves, Rival } from "./move-rule.ts";
import type { Place } from "./place.ts";
import { leaveAfterOf } from "./presence-settings.ts";

/** The place of one tag, and the reads that may change it. Instants are milliseconds of the epoch. */
export type Presence = {
  /** Reads that wait for earlier ones, in order. At most MAX_WAITING. */
  pending: Reading[];
  /** Effective time of the newest read that was applied. */
  appliedAt: number;
  /** The asset of the tag. When the tag gets another asset, its presence starts again. */
  assetId?: string | undefined;
  place?: Place | undefined;
  /** Other places that read the tag in the last minute, the last one first. */
  rivals: Rival[];
  /** The newest read by a portal elsewhere that is newer than the last one here. It is the place if the tag leaves. */
  elsewhere?: Elsewhere | undefined;
  /** The tag has left unless its readers are dead. */
  suspended?: Suspended | undefined;
  /** The place that it left last, for the direction of an arrival. */
  previous?: Previous | undefined;
  moves?: Moves | undefined;
  /** The second of all its reads, while it may be a ghost (ghost.ts). */
  ghostSecond?: number | undefined;
  bursts: Burst[];
  /** The places of the last minute's sightings: `seen` is published once a minute and place. */
  reported: Reported[];
  /** The newest read that may show a clone with the next one at another property. */
  propertyRead?: PropertyRead | undefined;
  clones: ReportedClone[];
};

/** The departure waits since `since` for one of these readers, but not after `until`. */
export type Suspended = { since: number; until: number; readerIds: string[] };

/** A read elsewhere. Of the settings of its place, only how long it allows a silence counts later. */
export type Elsewhere = Omit<Reading, "settings" | "propertyId"> & Pick<Place, "leaveAfterMs">;

export type Previous = { zoneId?: string | undefined; lastAt: number };

/** `key` is the place's. */
export type Reported = { key: string; at: number };

/** A change that follows from the reads of a tag, to be published. */
export type Outcome = {
  change: "arrived" | "moved" | "seen" | "left" | "cloned";
  readerId: string;
  eventId: string;
  zoneId?: string | undefined;
  locationId?: string | undefined;
  at: number;
  receivedAt: number;
  fromZoneId?: string | undefined;
  fromLocationId?: string | undefined;
  /** Both zones were read within 60 s, so the direction of the move is known. */
  directed: boolean;
  reads: number;
  rssi?: number | undefined;
  /** The portal moves assets, and the direction is known: the tag came in. */
  autoMove?: true | undefined;
  /** Of `seen`: the tag was read there, but its place is another one, or none. */
  unconfirmed?: true | undefined;
  /** Of `moved`: the tag moves so often that it moves no asset. Counted in the health of the reader. */
  flapping?: true | undefined;
  /** The tag may be a ghost: nothing is published. */
  ghost?: true | undefined;
  /** Of `left`: no reader is left that could read the tag. */
  reason?: LeftReason | undefined;
  /** Of `cloned`. */
  clone?: Clone | undefined;
};

export type LeftReason = "reader_gone";

/** A presence after new readings. `late` has the events that came too late to count. */
export type Advance = { presence: Presence; outcomes: Outcome[]; late: string[] };

/** A place that a handheld said holds for so long without a read. */
const HANDHELD_MS = 24 * 3_600_000;

/** The presence of a tag that was never read. */
export function unseen(): Presence {
  return { pending: [], appliedAt: 0, rivals: [], bursts: [], reported: [], clones: [] };
}

/**
 * When the silence of a tag at its place is long enough. It starts with the last receipt: the horizon is a time of
 * receipt too, and a reader's clock may be minutes behind.
 */
export function silentAt(place: Place): number {
  return place.lastReceivedAt + (place.fixed ? leaveAfterOf(place) : HANDHELD_MS);
}

/** When the first waiting read is due, or when it is to be judged whether the tag has left. */
export function dueTimes(
  { pending: [first], place, suspended }: Presence,
  windowMs: number,
): { releaseAt?: number | undefined; departAt?: number | undefined } {
  if (first !== undefined) return { releaseAt: first.at + windowMs };
  if (place === undefined) return {};
  return { departAt: suspended?.until ?? silentAt(place) };
}

/** The zones that a presence names. */
export function zonesOf({ place, elsewhere }: Presence): string[] {
  return [place?.zoneId, elsewhere?.zoneId].filter((id) => id !== undefined);
}

/** The presence of a tag whose zone was deleted: it has left without a sighting. */
export function withoutDeletedZone(presence: Presence, deleted: ReadonlySet<string>): Presence {
  if (!zonesOf(presence).some((id) => deleted.has(id))) return presence;
  if (!deleted.has(presence.place?.zoneId ?? "")) return { ...presence, elsewhere: undefined };
  const { pending, appliedAt, bursts, assetId, ghostSecond } = presence;
  return { ...unseen(), pending, appliedAt, bursts, assetId, ghostSecond };
}

/** The presence of a tag that may have got another asset. */
export function rebound(presence: Presence, assetId: string | undefined): Presence {
  if (presence.assetId === assetId) return { ...presence };
  const { pending, appliedAt } = presence;
  return { ...unseen(), pending, appliedAt, assetId };
}
