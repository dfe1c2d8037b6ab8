import { placeKey, type Reading } from "../ingest/reading.ts";
import { firstRead, type StayCounts, withReadHere } from "./confidence.ts";
import { ONE_SECOND, type Seconds, secondOf, withSecond } from "./seconds.ts";

/** How a place reads the tag. Instants are milliseconds of the epoch. */
export type Track = {
  lastAt: number;
  seconds: Seconds;
  /** Exponentially weighted signal (0.3), dBm. */
  rssi?: number | undefined;
};

/** The place of a tag, and its last read there. */
export type Place = Track & {
  zoneId?: string | undefined;
  locationId?: string | undefined;
  /** The last one. A handheld does not replace a fixed portal. */
  readerId: string;
  fixed: boolean;
  since: number;
  /** The latest receipt of a read here. After waiting, the last read is not always the last one received. */
  lastReceivedAt: number;
  lastEventId: string;
  /** By the settings of its last read. Absent: the default. */
  leaveAfterMs?: number | undefined;
  /** For its confidence. */
  counts: StayCounts;
  /** Other portals that read the tag during this stay, the last one first. Together they judge its departure. */
  others: StayReader[];
};

export type StayReader = { readerId: string; lastAt: number };

const RSSI_WEIGHT = 0.3;
/** Signals are kept in 1/64 dB, which is exact in binary: so a stored one is equal to the one in memory. */
const RSSI_STEPS = 64;
/** Besides the last reader. */
const MAX_OTHERS = 3;
/** A reader that read the tag longer before the silence says nothing about it. */
export const OTHERS_MS = 600_000;

/** The track of a place after another read, or after the first one. */
export function trackAfter(track: Track | undefined, at: number, rssi: number | undefined): Track {
  if (track === undefined) return { lastAt: at, seconds: ONE_SECOND, rssi: weighted(undefined, rssi) };
  return {
    lastAt: at,
    seconds: withSecond(track.seconds, secondOf(at) - secondOf(track.lastAt)),
    rssi: weighted(track.rssi, rssi),
  };
}

/** The place of a reading. */
export function placeOf(
  reading: Reading,
  track: Track,
  since = reading.at,
  counts: StayCounts = firstRead(reading.at),
): Place {
  const { zoneId, locationId, readerId, fixed, receivedAt, eventId, settings } = reading;
  const { lastAt, seconds, rssi } = track;
  return {
    ...{ zoneId, locationId, readerId, fixed, since },
    ...{ lastAt, lastReceivedAt: receivedAt, lastEventId: eventId, seconds, rssi, others: [] },
    leaveAfterMs: settings?.leaveAfterMs,
    counts,
  };
}

/**
 * The same place after another reading there. A read by a handheld at a fixed portal says that the tag is still there.
 * The portal stays the one that is asked whether it left.
 */
export function stay(place: Place, reading: Reading, rssi: number | undefined): Place {
  const { at, eventId, locationId, readerId, fixed, settings } = reading;
  const lastReceivedAt = Math.max(place.lastReceivedAt, reading.receivedAt);
  const leaveAfterMs = settings?.leaveAfterMs;
  const isNew = secondOf(at) !== secondOf(place.lastAt);
  const counts = isNew ? withReadHere(place.counts, at) : place.counts;
  const known = { ...place, lastReceivedAt, lastEventId: eventId, leaveAfterMs, counts };
  if (place.fixed && !fixed) return { ...known, lastAt: at };
  return {
    ...known,
    ...trackAfter(place, at, rssi),
    locationId: locationId ?? place.locationId,
    readerId,
    fixed,
    others: fixed ? othersAfter(place, reading) : [],
  };
}

/** Whether a reading says where the tag is: a portal does always, a handheld with a zone or location of its own. */
export function namesPlace({ fixed, zoneId, locationId }: Reading): boolean {
  return fixed || zoneId !== undefined || locationId !== undefined;
}

export const isSamePlace = (place: Place, reading: Reading): boolean => placeKey(place) === placeKey(reading);

function othersAfter({ fixed, readerId, lastAt, others }: Place, reading: Reading): StayReader[] {
  const changed = fixed && readerId !== reading.readerId;
  if (!changed && others.length === 0) return others;
  const known = changed ? [{ readerId, lastAt }, ...others] : others;
  return known
    .filter((other) => other.readerId !== reading.readerId && reading.at - other.lastAt <= OTHERS_MS)
    .slice(0, MAX_OTHERS);
}

function weighted(before: number | undefined, now: number | undefined): number | undefined {
  if (now === undefined) return before;
  const signal = before === undefined ? now : before + RSSI_WEIGHT * (now - before);
  return Math.round(signal * RSSI_STEPS) / RSSI_STEPS;
}
