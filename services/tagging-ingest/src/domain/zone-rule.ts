import { type Burst, placeKey, type Reading } from "./reading.ts";

/** The place of a tag, and its last read there. Instants are milliseconds of the epoch. */
export type Place = {
  zoneId?: string | undefined;
  locationId?: string | undefined;
  readerId: string;
  fixed: boolean;
  since: number;
  lastAt: number;
  /** The latest receipt of a read here. After waiting, the last read is not always the last one received. */
  lastReceivedAt: number;
  lastEventId: string;
  /** Exponentially weighted signal (0.3), dBm. */
  rssi?: number | undefined;
};

/** Another place that was read, but not often enough yet. */
export type Candidate = Place & { reads: { at: number; count: number }[] };

const CONFIRM_MS = 10_000;
const CONFIRM_READS = 2;
const MARGIN_DB = 6;
const RSSI_WEIGHT = 0.3;

/** The place of a reading. */
export function placeOf(reading: Reading, burst: Burst): Place {
  const { zoneId, locationId, readerId, fixed, at, receivedAt, eventId } = reading;
  return {
    zoneId,
    locationId,
    readerId,
    fixed,
    since: at,
    lastAt: at,
    lastReceivedAt: receivedAt,
    lastEventId: eventId,
    rssi: burst.rssi,
  };
}

/**
 * The same place after another reading there. A handheld reader does not replace a fixed portal: the portal still
 * decides when the tag left.
 */
export function stay<P extends Place>(place: P, reading: Reading, burst: Burst): P {
  const keepsPortal = place.fixed && !reading.fixed;
  return {
    ...place,
    locationId: reading.locationId ?? place.locationId,
    readerId: keepsPortal ? place.readerId : reading.readerId,
    fixed: keepsPortal || reading.fixed,
    lastAt: reading.at,
    lastReceivedAt: Math.max(place.lastReceivedAt, reading.receivedAt),
    lastEventId: reading.eventId,
    rssi: smooth(place.rssi, burst.rssi),
  };
}

/** The candidate after a reading elsewhere. A reading at a third place starts a new candidate. */
export function contend(candidate: Candidate | undefined, reading: Reading, burst: Burst): Candidate {
  const read = { at: reading.at, count: reading.count };
  if (candidate === undefined || placeKey(candidate) !== placeKey(reading)) {
    return { ...placeOf(reading, burst), reads: [read] };
  }
  // Only as many of the newest as are needed: older ones change nothing, and may be 200,000.
  const recent = candidate.reads.slice(1 - CONFIRM_READS);
  const reads = [...recent.filter(({ at }) => reading.at - at <= CONFIRM_MS), read];
  return { ...stay(candidate, reading, burst), reads };
}

/**
 * Whether the candidate is the new place: it has two reads within 10 s. When the old place was read within these 10 s
 * too and both signals are known, it must also be 6 dB stronger. An older signal does not count.
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
