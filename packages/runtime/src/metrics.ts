import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

type MetricOptions<L extends string> = { name: string; help: string; labelNames?: readonly L[] };

type Collect = () => void | Promise<void>;

export type Metrics = {
  registry: Registry;
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  /** `collect` runs at each scrape and sets the gauge. If several callers share a gauge, all their functions run. */
  gauge<L extends string = never>(
    options: MetricOptions<L> & { collect?: (this: Gauge<L>) => void | Promise<void> },
  ): Gauge<L>;
  histogram<L extends string = never>(options: MetricOptions<L> & { buckets?: number[] }): Histogram<L>;
};

/** Buckets in seconds: those that OpenTelemetry recommends for request durations, extended down to 1 ms. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Creates a registry with the metrics of the process. A second request for a name returns the existing metric, so
 * two clients of one process share it.
 */
export function createMetrics({ service }: { service: string }): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const shared = new Map<string, unknown>();
  const collectors = new Map<string, Collect[]>();
  return {
    registry,
    counter: (options) => {
      const known = shared.get(options.name);
      if (known instanceof Counter) return known;
      const created = new Counter({ ...options, registers: [registry] });
      shared.set(options.name, created);
      return created;
    },
    gauge: ({ collect, ...options }) => {
      const known = shared.get(options.name);
      const ofGauge = collectors.get(options.name) ?? [];
      const gauge =
        known instanceof Gauge
          ? known
          : new Gauge({ ...options, registers: [registry], collect: () => runAll(ofGauge) });
      if (collect !== undefined) ofGauge.push(() => collect.call(gauge));
      shared.set(options.name, gauge);
      collectors.set(options.name, ofGauge);
      return gauge;
    },
    histogram: (options) => {
      const known = shared.get(options.name);
      if (known instanceof Histogram) return known;
      const created = new Histogram({ buckets: DURATION_BUCKETS, ...options, registers: [registry] });
      shared.set(options.name, created);
      return created;
    },
  };
}

async function runAll(collectors: Collect[]): Promise<void> {
  for (const collect of collectors) await collect();
}
