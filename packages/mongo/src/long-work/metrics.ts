import type { Logger, Metrics } from "@asset-register/runtime";
import type { Claims } from "./claims.ts";

export type LongWorkMetrics = ReturnType<typeof createLongWorkMetrics>;

/** The metrics of one collection. At each scrape the gauge queries the database, so it covers all processes. */
export function createLongWorkMetrics(metrics: Metrics, collection: string, claims: Claims, logger: Logger) {
  metrics.gauge({
    name: "long_work_records",
    help: "Records in a working status: running or waiting",
    labelNames: ["collection", "state"],
    async collect() {
      try {
        const { running, waiting } = await claims.backlog();
        this.set({ collection, state: "running" }, running);
        this.set({ collection, state: "waiting" }, waiting);
      } catch (error) {
        // A scrape must not fail while the database is unavailable: the gauge keeps its last values.
        logger.debug({ err: error, collection }, "long work metrics not updated");
      }
    },
  });
  const steps = metrics.counter({
    name: "long_work_steps_total",
    help: "Steps by outcome: saved, failed (by the content of the record, not retried) or retried",
    labelNames: ["collection", "outcome"],
  });
  return {
    count: (outcome: "saved" | "failed" | "retried") => steps.inc({ collection, outcome }),
  };
}
