import type { Metrics } from "@asset-register/runtime";
import { notCalled } from "./status.ts";

/** A bound on work of one kind, so that it can't take everything with it when it hangs. */
export type Bulkhead = {
  /** @throws AppError unavailable, at once, while as much as may be is under way */
  run<T>(work: () => Promise<T>): Promise<T>;
};

export type BulkheadOptions = { name: string; max: number; metrics: Metrics };

/** At most `max` pieces of work at a time; none waits for its turn, as what hangs would let it wait in vain. */
export function createBulkhead({ name, max, metrics }: BulkheadOptions): Bulkhead {
  const labelNames = ["bulkhead"] as const;
  let underWay = 0;
  metrics.gauge({
    name: "bulkhead_active",
    help: "Pieces of work under way",
    labelNames,
    collect() {
      this.set({ bulkhead: name }, underWay);
    },
  });
  const refused = metrics.counter({
    name: "bulkhead_refused_total",
    help: "Refused: as much as may be was under way",
    labelNames,
  });

  return {
    run: async (work) => {
      if (underWay >= max) {
        refused.inc({ bulkhead: name });
        throw notCalled("Too much is waiting for this service right now");
      }
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
      }
    },
  };
}
