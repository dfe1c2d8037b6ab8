import { leaveAfterOf } from "./presence-settings.ts";
import { type Seconds, secondOf, secondsAgo } from "./seconds.ts";

/**
 * What a stay has counted of the reads of its tag, for the confidence (site.md). A read is a second. Weights are in
 * 1/64 read and halve every 30 s: so they say which place reads the tag now, and are whole numbers as they are stored.
 */
export type StayCounts = {
  /** Reads of the stay, up to MAX_READS. */
  reads: number;
  /** The weight of reads here, and of those elsewhere, as they were in `second`. */
  here: number;
  elsewhere: number;
  /** The number of the second of the newest counted read. */
  second: number;
};

/** The weight of one read. */
export const ONE_READ = 64;
const HALF_LIFE_SECONDS = 30;
/** After more, the support is 1 in any number of digits that is shown. */
const MAX_READS = 16;

/** A stay of a tag at its place. */
type Stay = { counts: StayCounts; lastReceivedAt: number; leaveAfterMs?: number | undefined };

/** The counts of a stay that begins with one read. */
export const firstRead = (at: number): StayCounts => ({
  ...{ reads: 1, here: ONE_READ, elsewhere: 0, second: secondOf(at) },
});

/** A weight after some seconds. It is rounded by the caller. */
const decayed = (weight: number, seconds: number): number =>
  seconds <= 0 ? weight : weight * 0.5 ** (seconds / HALF_LIFE_SECONDS);

/** The weight of the reads of the last minute of a place, at the last one. */
export function weightOf(seconds: Seconds): number {
  let weight = 0;
  for (const ago of secondsAgo(seconds)) weight += decayed(ONE_READ, ago);
  return Math.round(weight);
}

/** The counts after a read here. Rounding favours this place: an agreeing read never lowers the share. */
export function withReadHere({ reads, here, elsewhere, second }: StayCounts, at: number): StayCounts {
  const by = secondOf(at) - second;
  return {
    reads: Math.min(reads + 1, MAX_READS),
    here: Math.ceil(decayed(here, by)) + ONE_READ,
    elsewhere: Math.floor(decayed(elsewhere, by)),
    second: second + Math.max(by, 0),
  };
}

/** The counts after a read elsewhere. Rounding favours the other place: such a read never raises the share. */
export function withReadElsewhere(counts: StayCounts, at: number): StayCounts {
  const { here, elsewhere, second } = counts;
  const by = secondOf(at) - second;
  return {
    ...counts,
    here: Math.floor(decayed(here, by)),
    elsewhere: Math.ceil(decayed(elsewhere, by)) + ONE_READ,
    second: second + Math.max(by, 0),
  };
}

/** The counts of a stay that follows one of `from`, whose counts have its reads as those elsewhere. */
export function countsAfterMove(
  from: StayCounts,
  to: { reads: number; weight: number },
  at: number,
): StayCounts {
  const by = secondOf(at) - from.second;
  const all = Math.round(decayed(from.here + from.elsewhere, by));
  return {
    reads: Math.min(to.reads, MAX_READS),
    here: to.weight,
    elsewhere: Math.max(0, all - to.weight),
    second: from.second + Math.max(by, 0),
  };
}

/**
 * How sure it is at an instant that a tag is at its place: 0 to 1, with two digits. It is recency x support x share.
 * One more agreeing read never lowers it at any later time, and silence never raises it.
 */
export function confidenceOf(stay: Stay, at: number): number {
  const { reads, here, elsewhere } = stay.counts;
  const leaveAfterMs = leaveAfterOf(stay);
  const overdue = Math.max(0, at - stay.lastReceivedAt - leaveAfterMs / 3);
  const recency = 0.5 ** (overdue / leaveAfterMs);
  const support = 1 - 0.5 ** reads;
  const share = here + elsewhere === 0 ? 0 : here / (here + elsewhere);
  return Math.round(recency * support * share * 100) / 100;
}
