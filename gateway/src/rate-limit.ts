import { setImmediate } from "node:timers/promises";
import { createFallbacks } from "@asset-register/redis";
import type { Logger, Metrics } from "@asset-register/runtime";
import { LRUCache } from "lru-cache";
import type { Rate } from "./config.ts";
import type { Versions } from "./credentials.ts";
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
  /** As `RateLimiter.stale` tells. */
  stale: boolean;
};

export type RateLimiter = {
  /** Counts one request of `subject`, and compares `versions` in the same round trip. */
  take(subject: string, rate: Rate, versions: Versions): Promise<Allowance>;
  /** Whether something has a newer version than `versions`, or may have one: Redis did not answer. */
  stale(versions: Versions): Promise<boolean>;
};

type Parts = { redis: RedisWithLimit; logger: Logger; metrics: Metrics };

const MAX_SUBJECTS = 100_000;

/**
 * GCRA (generic cell rate algorithm) in Redis, by Redis' own clock, so that all
 * gateways count together. When Redis is away each gateway counts for itself.
 */
export function createRateLimiter({ redis, logger, metrics }: Parts, now = Date.now): RateLimiter {
  const fellBack = createFallbacks(logger, metrics, now);
  const arrivals = new LRUCache<string, number>({ max: MAX_SUBJECTS });

  const takeLocally = (subject: string, rate: Rate): Allowance => {
    const { next, ...allowance } = gcra(arrivals.get(subject) ?? 0, now() * 1000, rate);
    arrivals.set(subject, next);
    return { ...allowance, stale: true };
  };

  // Readers of one key post many events in the same moment: those that came before the question share its answer.
  const asking = new Map<Versions, Promise<boolean>>();

  const ask = async (versions: Versions): Promise<boolean> => {
    await setImmediate();
    asking.delete(versions);
    try {
      return isOlder(versions, await redis.mget(...versions.keys));
    } catch (error) {
      fellBack("credential_versions", error);
      return true;
    }
  };

  return {
    async take(subject, rate, versions) {
      try {
        const [allowed, remaining, retryAfterMs, resetMs, ...newest] = await redis.takeAllowance(
          versions.keys.length + 1,
          `rate:${subject}`,
          ...versions.keys,
          intervalOf(rate),
          rate.burst,
        );
        const stale = isOlder(versions, newest);
        return { allowed: allowed === 1, remaining, retryAfterMs, resetMs, stale };
      } catch (error) {
        fellBack("rate_limit", error);
        return takeLocally(subject, rate);
      }
    },
    stale(versions) {
      let answer = asking.get(versions);
      if (answer === undefined) {
        answer = ask(versions);
        asking.set(versions, answer);
      }
      return answer;
    },
  };
}

const isOlder = ({ known }: Versions, newest: (string | null)[]): boolean =>
  known.some((version, index) => Number(newest[index] ?? 0) > version);

/** Microseconds between requests at the steady rate. Whole, so that nothing is lost to rounding. */
const intervalOf = ({ perMinute }: Rate): number => Math.ceil(60_000_000 / perMinute);

const inMs = (microseconds: number): number => Math.ceil(microseconds / 1000);

/**
 * One step of GCRA, in whole microseconds.
 *
 * @param theoretical arrival of the next request at the steady rate; 0 when there was none yet
 * @param now never before that of an earlier step
 * @see ITU-T I.371, and the same arithmetic in redis.ts
 */
export function gcra(
  theoretical: number,
  now: number,
  rate: Rate,
): Omit<Allowance, "stale"> & { next: number } {
  const interval = intervalOf(rate);
  const next = Math.max(theoretical, now) + interval;
  const allowedAt = next - interval * rate.burst;
  if (allowedAt > now) {
    return {
      allowed: false,
      remaining: 0,
      retryAfterMs: inMs(allowedAt - now),
      resetMs: inMs(theoretical - now),
      next: theoretical,
    };
  }
  return {
    allowed: true,
    remaining: Math.floor((now - allowedAt) / interval),
    retryAfterMs: 0,
    resetMs: inMs(next - now),
    next,
  };
}
