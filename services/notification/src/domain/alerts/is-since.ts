/** Allowed difference between the clocks of two machines. */
const CLOCKS_MS = 10_000;

/**
 * Whether something happened at `start` or later, if another machine has dated it. In doubt it did: to lose news is
 * worse than to repeat old ones.
 */
export function isSince(time: Date, start: Date): boolean {
  return time.getTime() >= start.getTime() - CLOCKS_MS;
}
