import { type Burst, placeKey, type Reading } from "./reading.ts";

/** Where a tag is, and the reads that say so. Instants are milliseconds of the epoch. */
export type Place = {
  zoneId?: string;
  locationId?: string;
  readerId: string;
  fixed: boolean;
  since: number;
  lastAt: number;
  /** The latest receipt of a read here: of reads that waited, not always the last one's. */
  lastReceivedAt: number;
  lastEventId: string;
  /** Exponentially weighted signal (0.3), dBm. */
  rssi?: number;
};

/** Another place that reads speak for, not yet enough of them. */
export type Candidate = Place & { reads: { at: number; count: number }[] };

const CONFIRM_MS = 10_000;
const CONFIRM_READS = 2;
const MARGIN_DB = 6;
const RSSI_WEIGHT = 0.3;

/** The place that a reading speaks for, as its first. */
export function placeOf(reading: Reading, burst: Burst): Place {
  const { zoneId, locationId, readerId, fixed, at, receivedAt, eventId } = reading;
  return {
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(locationId === undefined ? {} : { locationId }),
    readerId,
    fixed,
    since: at,
    lastAt: at,
    lastReceivedAt: receivedAt,
    lastEventId: eventId,
    ...(burst.rssi === undefined ? {} : { rssi: burst.rssi }),
  };
}

/**
 * The same place after another reading in it. Where a fixed portal reads, a
 * handheld's reading takes nothing of that: the portal still says when the tag left.
 */
export function stay<P extends Place>(place: P, reading: Reading, burst: Burst): P {
  const rssi = smooth(place.rssi, burst.rssi);
  return {
    ...place,
    ...placeOf(reading, burst),
    since: place.since,
    lastReceivedAt: Math.max(place.lastReceivedAt, reading.receivedAt),
    ...(place.fixed && !reading.fixed ? { fixed: true, readerId: place.readerId } : {}),
    ...(rssi === undefined ? {} : { rssi }),
  };
}

/** The candidate after a reading elsewhere; another place than before starts anew. */
export function contend(candidate: Candidate | undefined, reading: Reading, burst: Burst): Candidate {
  const read = { at: reading.at, count: reading.count };
  if (candidate === undefined || placeKey(candidate) !== placeKey(reading)) {
    return { ...placeOf(reading, burst), reads: [read] };
  }
  // As many of the newest as are wanted: older ones change nothing, and may be 200,000.
  const recent = candidate.reads.slice(1 - CONFIRM_READS);
  const reads = [...recent.filter(({ at }) => reading.at - at <= CONFIRM_MS), read];
  return { ...stay(candidate, reading, burst), reads };
}

/**
 * Whether the candidate is the new place: two reads within 10 s, and 6 dB above
 * the old place where both signals are known and the old one was read in those
 * 10 s too (an old signal says nothing of now).
 */
export function confirmed(candidate: Candidate, place: Place): boolean {
  const reads = candidate.reads.reduce((sum, { count }) => sum + count, 0);
  if (reads < CONFIRM_READS) return false;
  const contested = candidate.lastAt - place.lastAt <= CONFIRM_MS;
  if (!contested || candidate.rssi === undefined || place.rssi === undefined) return true;
  return candidate.rssi >= place.rssi + MARGIN_DB;
}

function smooth(before: number | undefined, now: number | undefined): number | undefined {
  if (before === undefined || now === undefined) return before ?? now;
  return before + RSSI_WEIGHT * (now - before);
}
