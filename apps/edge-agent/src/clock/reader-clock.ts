/** How the time of a read is known. */
export type Dating =
  /** By the reader's time plus `shiftMs`. */
  | { shiftMs: number }
  /** By its receipt. */
  | "receipt";

export type ReaderClock = {
  /** Decides on one read. Both times are in milliseconds of the epoch. */
  date(at: number | undefined, received: number): Dating;
  /** How far the reader's clock is ahead (positive) or behind; 0 if it is well or unknown. */
  offMs(): number;
};

/** A reader whose clock is off by more is not believed. */
const TOLERANCE_MS = 2_000;
/** A stretch has at least this many reads and takes at least this long. */
const STRETCH_READS = 20;
const STRETCH_MS = 20_000;
/** So many stretches in a row have to agree. */
const STRETCHES = 3;
/** The platform takes no older reads, so an older time is that of a clock that was never set. */
const OLDEST_MS = 7 * 86_400_000;
/** A reader that was offline sends reads that are older than its usual delay. */
const BUFFERED_MS = 10_000;

/**
 * Judges the clock of one reader. A read from the future is enough to know that a clock is ahead. A clock that is behind
 * looks like a reader that sends its own buffer after an outage: their reads are old. Of a buffer the delay shrinks while it
 * is sent; of a clock it is constant. So the least delay of three stretches has to be the same.
 */
export function createReaderClock(): ReaderClock {
  let aheadMs = 0;
  let behindMs = 0;
  let least: number[] = [];
  let stretch = { from: 0, reads: 0, least: Number.POSITIVE_INFINITY };

  const endStretch = (): void => {
    least = [...least, stretch.least].slice(-STRETCHES);
    const [lowest, highest] = [Math.min(...least), Math.max(...least)];
    const constant = least.length === STRETCHES && highest - lowest <= TOLERANCE_MS;
    behindMs = constant && lowest > TOLERANCE_MS ? lowest : 0;
  };

  const observe = (delay: number, received: number): void => {
    if (stretch.reads === 0) stretch.from = received;
    stretch.reads += 1;
    stretch.least = Math.min(stretch.least, delay);
    if (stretch.reads < STRETCH_READS || received - stretch.from < STRETCH_MS) return;
    endStretch();
    stretch = { from: 0, reads: 0, least: Number.POSITIVE_INFINITY };
  };

  return {
    date(at, received) {
      if (at === undefined) return "receipt";
      const delay = received - at;
      observe(delay, received);
      aheadMs = delay < -TOLERANCE_MS ? -delay : 0;
      if (aheadMs > 0 || delay > OLDEST_MS) return "receipt";
      if (behindMs === 0) return { shiftMs: 0 };
      return delay - behindMs > BUFFERED_MS ? { shiftMs: behindMs } : "receipt";
    },
    offMs: () => (aheadMs > 0 ? aheadMs : 0 - behindMs),
  };
}
