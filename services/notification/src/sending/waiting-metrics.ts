import type { Context } from "../context.ts";

/** A scrape of each process asks the database, so the answer is kept for a moment. */
const KEPT_MS = 10_000;

/**
 * Measures the deliveries that are due and not sent yet. Every process of the service does so: without any sender the
 * backlog is the most interesting. Deliveries that wait for a later attempt do not count: more senders do not help them.
 */
export function createWaitingMetrics({ metrics, stores, logger }: Context): void {
  const age = metrics.gauge({
    name: "webhook_deliveries_oldest_seconds",
    help: "Time for which the oldest due delivery has been waiting",
  });
  let askedAt = Number.NEGATIVE_INFINITY;
  metrics.gauge({
    name: "webhook_deliveries_waiting",
    help: "Deliveries that are due and not sent yet, at most 100,000",
    async collect() {
      if (performance.now() - askedAt < KEPT_MS) return;
      askedAt = performance.now();
      try {
        const { waiting, oldestMs } = await stores.dueDeliveries.backlog();
        this.set(waiting);
        age.set(oldestMs / 1_000);
      } catch (error) {
        // A scrape must not fail while the database is unavailable: the gauges keep their last values.
        logger.debug({ err: error }, "waiting deliveries not measured");
      }
    },
  });
}
