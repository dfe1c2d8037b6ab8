// Below this a difference is delay and rounding (a request's timestamp has
// whole seconds), not a wrong clock.
const NOISE_MS = 1_500;

/**
 * When a read happened, in milliseconds of the epoch: the reader's time,
 * corrected by how far its clock is ahead, and never after it was received.
 */
export function effectiveTime(ts: number, receivedAt: number, skewMs: number): number {
  return Math.min(Math.abs(skewMs) > NOISE_MS ? ts - skewMs : ts, receivedAt);
}

/** How far a reader's clock is ahead, as the send time of a signed request tells (whole seconds). */
export function skewOfRequest(timestampSeconds: number, receivedAt: number): number {
  return timestampSeconds * 1000 + 500 - receivedAt;
}

/**
 * How far a reader's clock is ahead, as one signed event tells. Only ahead: a
 * time before receipt may as well be an event that waited.
 */
export function skewOfEvent(ts: number, receivedAt: number): number {
  return Math.max(0, ts - receivedAt);
}
