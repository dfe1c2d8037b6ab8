import type { Logger, Metrics } from "@asset-register/runtime";

/** What Redis is asked for, and goes on without it. */
type Use = "rate_limit" | "credential_versions";

/** Notes that something went on without Redis, which failed with `error`. */
type Fallbacks = (use: Use, error: unknown) => void;

/** Failures less than a minute apart are one occasion. */
const OCCASION_MS = 60_000;

/**
 * Each fallback counts, and the first of an occasion is logged: a Redis that is there and
 * refuses what is asked (read-only, out of memory, no permission) ends no connection, which would be.
 */
export function createFallbacks(logger: Logger, metrics: Metrics, now: () => number): Fallbacks {
  const total = metrics.counter({
    name: "redis_fallbacks_total",
    help: "Limits counted in process and credentials asked of identity, since Redis failed",
    labelNames: ["use"],
  });
  const last = new Map<Use, number>();
  return (use, error) => {
    total.inc({ use });
    const time = now();
    if (time - (last.get(use) ?? Number.NEGATIVE_INFINITY) > OCCASION_MS) {
      logger.warn({ err: error, use }, "Redis failed; going on without it");
    }
    last.set(use, time);
  };
}
