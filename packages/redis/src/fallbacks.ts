import type { Logger, Metrics } from "@asset-register/runtime";

/** Reports that a `use` of Redis continued without Redis, because a command failed with `error`. */
export type Fallbacks = (use: string, error: unknown) => void;

/** Failures less than a minute apart belong to one incident. */
const INCIDENT_MS = 60_000;

/**
 * Creates the function that reports fallbacks. It counts each fallback, and logs the first of an incident. Without
 * it, a Redis that responds but refuses commands (read-only, out of memory, no permission) would not be noticed:
 * only closed connections are logged elsewhere.
 */
export function createFallbacks(logger: Logger, metrics: Metrics, now: () => number = Date.now): Fallbacks {
  const total = metrics.counter({
    name: "redis_fallbacks_total",
    help: "Uses of Redis that continued without it, because a command failed",
    labelNames: ["use"],
  });
  const last = new Map<string, number>();
  return (use, error) => {
    total.inc({ use });
    const time = now();
    if (time - (last.get(use) ?? Number.NEGATIVE_INFINITY) > INCIDENT_MS) {
      logger.warn({ err: error, use }, "Redis command failed, continuing without Redis");
    }
    last.set(use, time);
  };
}
