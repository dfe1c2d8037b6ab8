/** A stored read with what its reader told of the place. Instants are milliseconds of the epoch. */
export type Reading = {
  eventId: string;
  readerId: string;
  /** Only a fixed portal says that something left. */
  fixed: boolean;
  zoneId?: string;
  locationId?: string;
  /** Effective time: corrected, never after receipt. */
  at: number;
  receivedAt: number;
  /** Reads that the reader itself put together. */
  count: number;
  /** dBm. */
  rssi?: number;
};

/** Reads of one reader that lie together and count as one signal. */
export type Burst = { readerId: string; startedAt: number; reads: number; rssi?: number };

const BURST_MS = 5_000;
/** What a message holds of a number of reads (uint32). */
const MAX_COUNT = 0xffff_ffff;

/** What makes two places the same one: the zone; without a zone the location, else the reader. */
export function placeKey(place: { zoneId?: string; locationId?: string; readerId: string }): string {
  return place.zoneId ?? place.locationId ?? place.readerId;
}

/** Orders readings by effective time; by id where that is equal, so that any arrival order gives one order. */
export function compareReadings(a: Reading, b: Reading): number {
  return a.at - b.at || (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0);
}

/** Adds a reading to its reader's burst of 5 s (sum of reads, highest RSSI), dropping bursts that are over. */
export function coalesce(bursts: readonly Burst[], reading: Reading): { bursts: Burst[]; burst: Burst } {
  const open = bursts.filter(({ startedAt }) => reading.at - startedAt <= BURST_MS);
  const running = open.find(({ readerId }) => readerId === reading.readerId);
  const burst: Burst = {
    readerId: reading.readerId,
    startedAt: running?.startedAt ?? reading.at,
    reads: added(running?.reads ?? 0, reading.count),
  };
  const rssi = strongest(running?.rssi, reading.rssi);
  if (rssi !== undefined) burst.rssi = rssi;
  return { bursts: [...open.filter((other) => other !== running), burst], burst };
}

/** Two readings of one reader as the first of them: all their reads, the highest RSSI. */
export function merge(first: Reading, other: Reading): Reading {
  const rssi = strongest(first.rssi, other.rssi);
  return {
    ...first,
    count: added(first.count, other.count),
    ...(rssi === undefined ? {} : { rssi }),
  };
}

function added(a: number, b: number): number {
  return Math.min(a + b, MAX_COUNT);
}

function strongest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
