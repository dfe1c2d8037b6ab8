import { type Backoff, createBackoff } from "./backoff.ts";

/** When the platform may be asked again, for all readers. */
export type Pauses = {
  until(): number;
  /** The platform did not answer as it should. `began`: when the request began. */
  unavailable(now: number, began: number, retryAfterMs: number | undefined): void;
  limited(now: number, retryAfterMs: number | undefined): void;
  available(): void;
};

const FIRST_MS = 500;
const MOST_MS = 30_000;
const LIMITED_MS = 1_000;
/** A longer Retry-After would leave live reads waiting for a mistake of a proxy. */
const MOST_RETRY_AFTER_MS = 120_000;

/** Requests that fail together are one failure: the pause grows only if one that began after the last failure fails. */
export function createPauses(
  backoff: Backoff = createBackoff(FIRST_MS, MOST_MS),
  random: () => number = Math.random,
): Pauses {
  let until = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  const pause = (now: number, ms: number): void => {
    until = Math.max(until, now + ms);
  };
  const asked = (ms: number): number => Math.min(ms, MOST_RETRY_AFTER_MS) * (1 + random() / 4);
  return {
    until: () => until,
    unavailable(now, began, retryAfterMs) {
      if (began < failedAt) return;
      failedAt = now;
      pause(now, Math.max(backoff.next(), asked(retryAfterMs ?? 0)));
    },
    limited: (now, retryAfterMs) => pause(now, asked(Math.max(retryAfterMs ?? 0, LIMITED_MS))),
    available: () => backoff.reset(),
  };
}
