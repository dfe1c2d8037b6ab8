const HOUR_MS = 3_600_000;

/** A mail is tried for so long. */
const TRIED_FOR_MS = 24 * HOUR_MS;

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 2 * HOUR_MS;
const JITTER = 0.2;

/**
 * Milliseconds until the next attempt, after attempt number `attempt` (from 1) of a mail that was created `ageMs` ago.
 * Undefined when it is given up. `random` is in [0, 1).
 */
export function mailDelayAfter(attempt: number, ageMs: number, random: number): number | undefined {
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 4 ** Math.min(attempt - 1, 10));
  if (ageMs + delay > TRIED_FOR_MS) return undefined;
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
