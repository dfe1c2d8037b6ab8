import type { Metrics } from "@asset-register/runtime";

/** Figures of all consumers in a process; partitions are no label, groups and topics are few. */
export function consumerMetrics(metrics: Metrics) {
  const labelNames = ["group", "topic"] as const;
  return {
    consumed: metrics.counter({
      name: "consumer_events_total",
      help: "Events by outcome: handled, repeated (the inbox knew it) or dead",
      labelNames: [...labelNames, "outcome"],
    }),
    newer: metrics.counter({
      name: "consumer_newer_events_total",
      help: "Events whose change is of a newer release: their state is applied, the change is not understood",
      labelNames,
    }),
    age: metrics.histogram({
      name: "consumer_event_age_seconds",
      help: "From the record's time on the broker to the end of its handling",
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
      help: "Age of the oldest record that waits, or of the last handled one before it; the worst partition",
      labelNames,
    }),
    paused: metrics.gauge({
      name: "consumer_paused_partitions",
      help: "Partitions that wait for something to come back",
      labelNames,
    }),
    failures: metrics.counter({
      name: "consumer_retries_total",
      help: "Failures that are not the event's fault; each is tried again",
      labelNames,
    }),
  };
}

export type ConsumerMetrics = ReturnType<typeof consumerMetrics>;
