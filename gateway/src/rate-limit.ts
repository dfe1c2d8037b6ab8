import type { Logger } from "@asset-register/runtime";
import { LRUCache } from "lru-cache";
import type { Rate } from "./config.ts";
import type { RedisWithLimit } from "./redis.ts";

/** What a limiter says of one request. */
export type Allowance = {
  allowed: boolean;
  /** Requests that could follow at once. */
  remaining: number;
  /** Until the next request is let through; 0 when allowed. */
  retryAfterMs: number;
  /** Until the whole burst is there again. */
  resetMs: number;
  /** Whether something that the credential hangs on has a newer version, or may have one: Redis did not answer. */
  stale: boolean;
};

export type RateLimiter = {
  /** Counts one request of `subject`, and compares `versions` with Redis' in the same round trip. */
  take(subject: string, rate: Rate, versions: ReadonlyMap<string, number>): Promise<Allowance>;
};

const MAX_SUBJECTS = 100_000;

/**
 * GCRA (generic cell rate algorithm) in Redis, by Redis' own clock, so that all
 * gateways count together. When Redis is away each gateway counts for itself.
 */
export function createRateLimiter(redis: RedisWithLimit, logger: Logger, now = Date.now): RateLimiter {
  const arrivals = new LRUCache<string, number>({ max: MAX_SUBJECTS });

  const takeLocally = (subject: string, rate: Rate): Allowance => {
    const { next, ...allowance } = gcra(arrivals.get(subject) ?? 0, now(), rate);
    arrivals.set(subject, next);
    return { ...allowance, stale: true };
  };

  return {
    async take(subject, rate, versions) {
      try {
        const ids = [...versions.keys()];
        const [allowed, remaining, retryAfterMs, resetMs, ...newest] = await redis.takeAllowance(
          ids.length + 1,
          `rate:${subject}`,
          ...ids.map((id) => `credential-version:${id}`),
          60_000 / rate.perMinute,
          rate.burst,
        );
        return {
          allowed: allowed === 1,
          remaining,
          retryAfterMs,
          resetMs,
          stale: ids.some((id, index) => Number(newest[index]) > (versions.get(id) ?? 0)),
        };
      } catch (error) {
        logger.debug({ err: error }, "rate limit counted in process: Redis did not answer");
        return takeLocally(subject, rate);
      }
    },
  };
}

/**
 * One step of GCRA, in milliseconds.
 *
 * @param theoretical arrival time of the next request at the steady rate
 * @see ITU-T I.371, and the same arithmetic in redis.ts
 */
export function gcra(
  theoretical: number,
  nowMs: number,
  { perMinute, burst }: Rate,
): Omit<Allowance, "stale"> & { next: number } {
  const interval = 60_000 / perMinute;
  const tolerance = interval * burst;
  const next = Math.max(theoretical, nowMs) + interval;
  const allowedAt = next - tolerance;
  if (allowedAt > nowMs) {
    return {
      allowed: false,
      remaining: 0,
      retryAfterMs: Math.ceil(allowedAt - nowMs),
      resetMs: Math.ceil(theoretical - nowMs),
      next: theoretical,
    };
  }
  return {
    allowed: true,
    remaining: Math.floor((nowMs - allowedAt) / interval),
    retryAfterMs: 0,
    resetMs: Math.ceil(next - nowMs),
    next,
  };
}
