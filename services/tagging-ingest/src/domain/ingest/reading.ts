import type { PresenceSettings } from "../presence/presence-settings.ts";

/** A stored read with the place of its reader. Instants are milliseconds of the epoch. */
export type Reading = {
  eventId: string;
  readerId: string;
  /** Only a fixed portal can say that a tag left. */
  fixed: boolean;
  zoneId?: string | undefined;
  locationId?: string | undefined;
  /** The property of the location, if the read may show a clone (clone.ts). */
  propertyId?: string | undefined;
  /** Effective time: corrected, never after receipt. */
  at: number;
  receivedAt: number;
  /** The number of reads that the reader itself combined. */
  count: number;
  /** dBm. */
  rssi?: number | undefined;
  /** The reader is a fixed portal whose sightings move assets. */
  autoMove?: true | undefined;
  /** How its place decides, as it was when the read was processed. Absent: by the default. */
  settings?: PresenceSettings | undefined;
};

/** Reads of one reader within 5 s. They are published as one. */
export type Burst = { reader: string; startedAt: number; reads: number; rssi?: number | undefined };

const BURST_MS = 5_000;
/** Readers whose bursts are kept. Of more at the same time, each read of the others is a burst of its own. */
const MAX_BURSTS = 2;
/**
 * The last characters of an id are 40 random bits. They distinguish the places and readers of a tag, and the stored
 * state has up to 20 of them.
 */
const KEY_CHARACTERS = 8;
/** The largest number of reads that a message can hold (uint32). */
const MAX_COUNT = 0xffff_ffff;

/** Two places are the same when this is equal: the zone, without a zone the location, otherwise the reader. */
export function placeKey(place: Pick<Reading, "zoneId" | "locationId" | "readerId">): string {
  return keyOf(place.zoneId ?? place.locationId ?? place.readerId);
}

const keyOf = (id: string): string => id.slice(-KEY_CHARACTERS);

/** Orders readings by effective time, then by id. So the order does not depend on the order of arrival. */
export function compareReadings(a: Reading, b: Reading): number {
  return a.at - b.at || (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0);
}

/** Adds a reading to the burst of its reader (sum of reads, highest RSSI), and drops the bursts that are over. */
export function coalesce(bursts: readonly Burst[], reading: Reading): { bursts: Burst[]; burst: Burst } {
  const reader = keyOf(reading.readerId);
  const open = bursts.filter(({ startedAt }) => reading.at - startedAt <= BURST_MS);
  const running = open.find((other) => other.reader === reader);
  const burst: Burst = {
    reader,
    startedAt: running?.startedAt ?? reading.at,
    reads: added(running?.reads ?? 0, reading.count),
    rssi: strongest(running?.rssi, reading.rssi),
  };
  const others = open.filter((other) => other !== running);
  return { bursts: [...others.slice(1 - MAX_BURSTS), burst], burst };
}

/** Merges two readings of one reader into the first: all their reads, the highest RSSI. */
export function merge(first: Reading, other: Reading): Reading {
  return {
    ...first,
    count: added(first.count, other.count),
    rssi: strongest(first.rssi, other.rssi),
  };
}

function added(a: number, b: number): number {
  return Math.min(a + b, MAX_COUNT);
}

function strongest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
