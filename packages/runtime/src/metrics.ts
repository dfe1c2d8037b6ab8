import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

type MetricOptions<L extends string> = { name: string; help: string; labelNames?: readonly L[] };

type Collect = () => void | Promise<void>;

export type Metrics = {
  registry: Registry;
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  /** `collect` is asked at each scrape and sets the gauge itself; all that share the gauge are asked. */
  gauge<L extends string = never>(
    options: MetricOptions<L> & { collect?: (this: Gauge<L>) => void | Promise<void> },
  ): Gauge<L>;
  histogram<L extends string = never>(options: MetricOptions<L> & { buckets?: number[] }): Histogram<L>;
};

/** Seconds; OpenTelemetry's advice for durations of requests, extended down to 1 ms. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * A registry of its own with the process metrics in it. Asking for a name a second time gives the metric
 * that is there: two clients of one process share theirs.
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
      const made = new Counter({ ...options, registers: [registry] });
      shared.set(options.name, made);
      return made;
    },
    gauge: ({ collect, ...options }) => {
      const known = shared.get(options.name);
      const asked = collectors.get(options.name) ?? [];
      const made =
        known instanceof Gauge
          ? known
          : new Gauge({ ...options, registers: [registry], collect: () => all(asked) });
      if (collect !== undefined) asked.push(() => collect.call(made));
      shared.set(options.name, made);
      collectors.set(options.name, asked);
      return made;
    },
    histogram: (options) => {
      const known = shared.get(options.name);
      if (known instanceof Histogram) return known;
      const made = new Histogram({ buckets: DURATION_BUCKETS, ...options, registers: [registry] });
      shared.set(options.name, made);
      return made;
    },
  };
}

async function all(collectors: Collect[]): Promise<void> {
  for (const collect of collectors) await collect();
}
