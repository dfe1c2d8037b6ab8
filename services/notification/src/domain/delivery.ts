const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// The wait after attempt 1, 2, ... 9; the tenth is the last.
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

const JITTER = 0.2;
const FAILING_LIMIT_MS = 5 * 24 * HOUR;

/**
 * Milliseconds after a failure from which the next one is the first of its own: nothing was tried meanwhile.
 * Attempts are up to 48 h apart (24 h, doubled by Retry-After); an hour is left for being taken up and made.
 */
export const QUIET_AFTER_MS = 2 * DELAYS[8] + HOUR;

/** Deliveries of one endpoint at once; one, to try, while it only fails. */
export const IN_FLIGHT = { healthy: 5, failing: 1 } as const;

/** Failures in a row after which an endpoint counts as failing. */
export const FAILING_AFTER = 5;

/** What an attempt met: an HTTP answer, or none. */
export type Answer =
  | { status: number; retryAfter?: string; excerpt: string; durationMs: number }
  | { error: string; durationMs: number };

export type Verdict = "delivered" | "retry" | "gone";

/** Success is 2xx; 410 ends the subscription; all else, redirects included, is tried again. */
export function judge(answer: Answer): Verdict {
  if (!("status" in answer)) return "retry";
  if (answer.status >= 200 && answer.status < 300) return "delivered";
  return answer.status === 410 ? "gone" : "retry";
}

/**
 * Milliseconds to wait after attempt number `attempt` (from 1) failed, or
 * undefined when it was the last. `random` is in [0, 1). A Retry-After is
 * followed within one and two times the scheduled delay.
 */
export function delayAfter(attempt: number, random: number, retryAfterMs?: number): number | undefined {
  const delay = DELAYS[attempt - 1];
  if (delay === undefined) return undefined;
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, delay), 2 * delay);
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}

/** Reads Retry-After, seconds or a date, as milliseconds from `now`. Undefined when it says nothing usable. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  // IMF-fixdate only: Date.parse would take nearly anything.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Whether an endpoint that has only failed since `failingSince` is given up. */
export function isHopeless(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= FAILING_LIMIT_MS;
}
