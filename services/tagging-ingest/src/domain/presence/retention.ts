const DAY_MS = 86_400_000;

/**
 * Hardly any read or sighting comes of a UTC day that ended this long ago: readers may send events that are 7 days old, and
 * the topic keeps them for 7 days more. A tag that left may be published later.
 */
export const LEAST_RETENTION_DAYS = 15;

/**
 * The day on which a row expires that was last written at `now`. A whole day, so that its index is written once a day
 * and not with each write of the row.
 */
export function expiryDay(now: Date, days: number): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1 + days) * DAY_MS);
}
