/** A smaller difference is delay and rounding, not a wrong clock: the timestamp of a request has whole seconds. */
const NOISE_MS = 1_500;

/**
 * The effective time differs from the reader's time by less than this: a signed time, and so a known skew, is at most
 * 300 s off, and an event at most 300 s ahead of its receipt.
 */
export const MAX_CORRECTION_MS = 600_000 + NOISE_MS;

/**
 * When a read happened, in milliseconds of the epoch: the time of the reader's clock, corrected by its skew, and
 * never after it was received.
 */
export function effectiveTime(ts: number, receivedAt: number, skewMs: number): number {
  return Math.min(Math.abs(skewMs) > NOISE_MS ? ts - skewMs : ts, receivedAt);
}

/** How far a reader's clock is ahead, by the send time of a signed request (whole seconds). */
export function skewOfRequest(timestampSeconds: number, receivedAt: number): number {
  return timestampSeconds * 1000 + 500 - receivedAt;
}

/**
 * How far a reader's clock is ahead, by the time of one signed event. Never negative: an event with an old time may
 * have waited.
 */
export function skewOfEvent(ts: number, receivedAt: number): number {
  return Math.max(0, ts - receivedAt);
}
