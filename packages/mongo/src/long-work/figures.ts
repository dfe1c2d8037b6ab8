import type { Logger, Metrics } from "@asset-register/runtime";
import type { Claims } from "./claims.ts";

export type Figures = ReturnType<typeof longWorkFigures>;

/** Figures of the records of one collection; the gauge asks the database at each scrape, for all processes. */
export function longWorkFigures(metrics: Metrics, collection: string, claims: Claims, logger: Logger) {
  metrics.gauge({
    name: "long_work_records",
    help: "Records that are worked on, or wait for it",
    labelNames: ["collection", "state"],
    async collect() {
      try {
        const { running, waiting } = await claims.backlog();
        this.set({ collection, state: "running" }, running);
        this.set({ collection, state: "waiting" }, waiting);
      } catch (error) {
        // A scrape must not fail because the database is away: the last figures stand.
        logger.debug({ err: error, collection }, "long work not measured");
      }
    },
  });
  const steps = metrics.counter({
    name: "long_work_steps_total",
    help: "Steps: saved, failed (by the record's content, for good) or retried",
    labelNames: ["collection", "outcome"],
  });
  return {
    count: (outcome: "saved" | "failed" | "retried") => steps.inc({ collection, outcome }),
  };
}
