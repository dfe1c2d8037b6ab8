import { setImmediate } from "node:timers/promises";
import { createFallbacks, getAll } from "@asset-register/redis";
import type { Logger, Metrics } from "@asset-register/runtime";
import { LRUCache } from "lru-cache";
import type { Rate } from "./config.ts";
import type { RedisWithLimit } from "./redis.ts";

/**
 * The revs of a credential, its user and its workspace, as the cached caller has them. Identity writes the current ones
 * to Redis, under these keys, at each revocation and change of rights.
 */
export type Versions = { keys: readonly string[]; known: readonly number[] };

/** The decision about one request. */
export type Allowance = {
  allowed: boolean;
  /** Requests that are still allowed at this moment. */
  remaining: number;
  /** Time until the next request is allowed; 0 when this one is. */
  retryAfterMs: number;
  /** Time until the whole burst is available again. */
  resetMs: number;
  /** The result of `RateLimiter.stale`. */
  stale: boolean;
};

export type RateLimiter = {
  /** Counts one request of `subject`, and compares `versions` in the same round trip. */
  take(subject: string, rate: Rate, versions: Versions): Promise<Allowance>;
  /**
   * Counts events of `subject` that have already happened. Returns the time until the whole burst is available again,
   * or undefined when Redis fails.
   */
  charge(subject: string, rate: Rate, events: number): Promise<number | undefined>;
  /** Whether Redis has a newer version than `versions`. Also true when Redis fails: there might be one. */
  stale(versions: Versions): Promise<boolean>;
  /** The same of many, in one query. Undefined when Redis fails. */
  staleOf(all: readonly Versions[]): Promise<boolean[] | undefined>;
};

type Parts = { redis: RedisWithLimit; logger: Logger; metrics: Metrics };

const MAX_SUBJECTS = 100_000;

/**
 * Limits requests by GCRA (generic cell rate algorithm). All gateways count together in Redis, by its clock. While Redis
 * fails, each gateway counts on its own.
 */
export function createRateLimiter({ redis, logger, metrics }: Parts, now = Date.now): RateLimiter {
  const reportFallback = createFallbacks(logger, metrics, now);
  const arrivals = new LRUCache<string, number>({ max: MAX_SUBJECTS });

  const takeLocally = (subject: string, rate: Rate): Allowance => {
    const { next, ...allowance } = gcra(arrivals.get(subject) ?? 0, now() * 1000, rate);
    arrivals.set(subject, next);
    return { ...allowance, stale: true };
  };

  // Readers with the same key post many events at once. Requests of the same turn of the event loop share one query.
  const queries = new Map<Versions, Promise<boolean>>();

  const queryStale = async (versions: Versions): Promise<boolean> => {
    await setImmediate();
    queries.delete(versions);
    try {
      return isOlder(versions, await getAll(redis, versions.keys));
    } catch (error) {
      reportFallback("credential_versions", error);
      return true;
    }
  };

  return {
    async take(subject, rate, versions) {
      try {
        const counted = [intervalOf(rate), rate.burst];
        const key = `rate:${subject}`;
        // On a cluster these keys are on different nodes.
        const alone = redis.isCluster ? getAll(redis, versions.keys) : undefined;
        const keys = alone === undefined ? [key, ...versions.keys] : [key];
        const [reply, apart] = await Promise.all([
          redis.takeAllowance(keys.length, ...keys, ...counted),
          alone,
        ]);
        const [allowed, remaining, retryAfterMs, resetMs, ...newest] = reply;
        const stale = isOlder(versions, apart ?? newest);
        return { allowed: allowed === 1, remaining, retryAfterMs, resetMs, stale };
      } catch (error) {
        reportFallback("rate_limit", error);
        return takeLocally(subject, rate);
      }
    },
    async charge(subject, rate, events) {
      try {
        return await redis.charge(1, `rate:${subject}`, events * intervalOf(rate));
      } catch (error) {
        reportFallback("rate_limit", error);
        return undefined;
      }
    },
    stale(versions) {
      let query = queries.get(versions);
      if (query === undefined) {
        query = queryStale(versions);
        queries.set(versions, query);
      }
      return query;
    },
    async staleOf(all) {
      // Credentials of one workspace have its key in common.
      const keys = [...new Set(all.flatMap((versions) => versions.keys))];
      if (keys.length === 0) return [];
      try {
        const values = await getAll(redis, keys);
        const newest = new Map(keys.map((key, index) => [key, values[index] ?? null]));
        return all.map((versions) =>
          isOlder(
            versions,
            versions.keys.map((key) => newest.get(key) ?? null),
          ),
        );
      } catch (error) {
        reportFallback("stream_credentials", error);
        return undefined;
      }
    },
  };
}

const isOlder = ({ known }: Versions, newest: (string | null)[]): boolean =>
  known.some((version, index) => Number(newest[index] ?? 0) > version);

/** Microseconds between requests at the steady rate. An integer, so that sums have no rounding errors. */
export const intervalOf = ({ perMinute }: Rate): number => Math.ceil(60_000_000 / perMinute);

const inMs = (microseconds: number): number => Math.ceil(microseconds / 1000);

/**
 * One step of GCRA, in whole microseconds.
 *
 * @param theoretical the theoretical arrival time: when the next request is due at the steady rate; 0 at first
 * @param now must not be before the `now` of an earlier step
 * @see ITU-T I.371; redis.ts has the same arithmetic
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
