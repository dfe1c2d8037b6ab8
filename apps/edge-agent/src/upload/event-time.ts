import type { StoredRead } from "../buffer/read-rows.ts";
import type { PlatformClock } from "../clock/platform-clock.ts";

/**
 * When a read was received, in milliseconds of the epoch. Within one boot it follows from the monotonic time, so it is right
 * even if the clock of this machine was wrong at that moment.
 */
export const receiptOf = (read: StoredRead, clock: Pick<PlatformClock, "at">): number =>
  read.sameBoot ? clock.at(read.monotonic) : read.received;

/** The time of a read: its reader's, if it is believed. */
export const timeOf = (read: StoredRead, clock: Pick<PlatformClock, "at">): number =>
  read.at === undefined || read.shiftMs === undefined ? receiptOf(read, clock) : read.at + read.shiftMs;
