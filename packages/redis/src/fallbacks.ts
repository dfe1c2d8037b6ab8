import type { Logger, Metrics } from "@asset-register/runtime";

/** Notes that something, a `use` of Redis, went on without it, since it failed with `error`. */
export type Fallbacks = (use: string, error: unknown) => void;

/** Failures less than a minute apart are one occasion. */
const OCCASION_MS = 60_000;

/**
 * Each fallback counts, and the first of an occasion is logged: a Redis that is there and
 * refuses what is asked (read-only, out of memory, no permission) ends no connection, which would be.
 */
export function createFallbacks(logger: Logger, metrics: Metrics, now: () => number = Date.now): Fallbacks {
  const total = metrics.counter({
    name: "redis_fallbacks_total",
    help: "What went on without Redis, since it failed",
    labelNames: ["use"],
  });
  const last = new Map<string, number>();
  return (use, error) => {
    total.inc({ use });
    const time = now();
    if (time - (last.get(use) ?? Number.NEGATIVE_INFINITY) > OCCASION_MS) {
      logger.warn({ err: error, use }, "Redis failed; going on without it");
    }
    last.set(use, time);
  };
}
