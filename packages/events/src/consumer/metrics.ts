import type { Metrics } from "@asset-register/runtime";

/** The metrics of all consumers of a process. The partition is not a label, to keep the number of series low. */
export function createConsumerMetrics(metrics: Metrics) {
  const labelNames = ["group", "topic"] as const;
  return {
    consumed: metrics.counter({
      name: "consumer_events_total",
      help: "Events by outcome: handled or dead (sent to the dead letters)",
      labelNames: [...labelNames, "outcome"],
    }),
    newer: metrics.counter({
      name: "consumer_newer_events_total",
      help: "Events with a change of a newer release: their state is applied, the change is unknown",
      labelNames,
    }),
    age: metrics.histogram({
      name: "consumer_event_age_seconds",
      help: "Seconds from the broker's time of a record to the end of its handling",
      labelNames,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600],
    }),
    lagRecords: metrics.gauge({
      name: "consumer_lag_records",
      help: "Records behind the end of the partitions that this process reads",
      labelNames,
    }),
    lagSeconds: metrics.gauge({
      name: "consumer_lag_seconds",
      help: "Age of the oldest unhandled record, or of the last handled record before it, in the worst partition",
      labelNames,
    }),
    paused: metrics.gauge({
      name: "consumer_paused_partitions",
      help: "Partitions that are paused because a dependency is unavailable",
      labelNames,
    }),
    failures: metrics.counter({
      name: "consumer_retries_total",
      help: "Failures that the event did not cause; each is retried",
      labelNames,
    }),
  };
}

export type ConsumerMetrics = ReturnType<typeof createConsumerMetrics>;
