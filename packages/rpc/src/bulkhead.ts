import type { Metrics } from "@asset-register/runtime";
import { notCalled } from "./status.ts";

/** A limit for calls of one kind, so that a hanging upstream cannot block the whole process. */
export type Bulkhead = {
  /**
   * Runs a call.
   *
   * @throws AppError unavailable immediately, if the limit is reached
   */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export type BulkheadOptions = { name: string; max: number; metrics: Metrics };

/**
 * Creates a bulkhead, which runs at most `max` calls at the same time. Further calls fail immediately: queueing
 * behind a hung upstream would only delay the failure.
 */
export function createBulkhead({ name, max, metrics }: BulkheadOptions): Bulkhead {
  const labelNames = ["bulkhead"] as const;
  let active = 0;
  metrics.gauge({
    name: "bulkhead_active",
    help: "Calls that are running",
    labelNames,
    collect() {
      this.set({ bulkhead: name }, active);
    },
  });
  const refused = metrics.counter({
    name: "bulkhead_refused_total",
    help: "Calls refused because the limit was reached",
    labelNames,
  });

  return {
    run: async (work) => {
      if (active >= max) {
        refused.inc({ bulkhead: name });
        throw notCalled("The service is overloaded. Please try again later.");
      }
      active += 1;
      try {
        return await work();
      } finally {
        active -= 1;
      }
    },
  };
}
