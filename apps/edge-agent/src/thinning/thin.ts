/** A read whose time is known, in milliseconds of the epoch. */
export type DatedRead = {
  epc: string;
  ts: number;
  antenna?: number | undefined;
  rssi?: number | undefined;
  count: number;
};

/** The largest `count` that the platform takes. */
export const MAX_COUNT = 1_000_000;

/**
 * Puts repeats together: reads of an EPC at one antenna within `windowMs` of the first of them are one event, with its time,
 * the sum of their counts and the best RSSI. `used` is how many of the reads are in `events`: it ends before a read that
 * would make more than `maxEvents`.
 */
export function thin<T extends DatedRead>(
  reads: readonly T[],
  { windowMs, maxEvents }: { windowMs: number; maxEvents: number },
): { events: T[]; used: number } {
  const events: T[] = [];
  const open = new Map<string, T>();
  for (const [used, read] of reads.entries()) {
    const key = `${read.epc} ${read.antenna}`;
    const event = open.get(key);
    if (event !== undefined && isRepeat(event, read, windowMs)) {
      event.count += read.count;
      event.rssi = best(event.rssi, read.rssi);
      continue;
    }
    if (events.length === maxEvents) return { events, used };
    const added = { ...read };
    events.push(added);
    open.set(key, added);
  }
  return { events, used: reads.length };
}

/** Reads of one millisecond are always repeats: the platform would take the second for a duplicate. */
const isRepeat = (event: DatedRead, read: DatedRead, windowMs: number): boolean =>
  (event.ts === read.ts || Math.abs(read.ts - event.ts) < windowMs) && event.count + read.count <= MAX_COUNT;

const best = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
