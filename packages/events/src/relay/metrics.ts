import type { Mongo } from "@asset-register/mongo";
import type { Logger, Metrics } from "@asset-register/runtime";
import { outboxBacklog } from "../outbox/backlog.ts";

/** The metrics of the outbox. The gauges query the database at each scrape. */
export function createRelayMetrics(metrics: Metrics, mongo: Mongo, logger: Logger) {
  const parked = metrics.gauge({
    name: "outbox_parked_rows",
    help: "Rows that the broker refuses because of their content; later rows of their keys wait",
  });
  const held = metrics.gauge({
    name: "outbox_held_rows",
    help: "Rows that wait because their topic or partition cannot be written",
    labelNames: ["topic"],
  });
  metrics.gauge({
    name: "outbox_oldest_age_seconds",
    help: "Age of the oldest unsent event",
    async collect() {
      try {
        const backlog = await outboxBacklog(mongo);
        this.set(backlog.oldestSeconds);
        parked.set(backlog.parked);
        held.reset();
        for (const [topic, rows] of backlog.held) held.set({ topic }, rows);
      } catch (error) {
        // A scrape must not fail while the database is unavailable: the gauges keep their last values.
        logger.debug({ err: error }, "outbox metrics not updated");
      }
    },
  });
  return {
    sent: metrics.counter({
      name: "outbox_events_sent_total",
      help: "Events that the broker has acknowledged",
      labelNames: ["topic"],
    }),
    failures: metrics.counter({ name: "outbox_send_failures_total", help: "Failed sends; each is repeated" }),
    duration: metrics.histogram({
      name: "outbox_send_duration_seconds",
      help: "One batch: Kafka transaction and removal from the outbox",
    }),
  };
}
