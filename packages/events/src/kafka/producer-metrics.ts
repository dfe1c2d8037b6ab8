import type { Metrics } from "@asset-register/runtime";

export function createProducerMetrics(metrics: Metrics) {
  return {
    sends: metrics.counter({
      name: "producer_sends_total",
      help: "Sends to the broker by outcome",
      labelNames: ["outcome"],
    }),
    records: metrics.counter({
      name: "producer_records_total",
      help: "Records acknowledged by the broker",
    }),
    duration: metrics.histogram({
      name: "producer_send_duration_seconds",
      help: "Duration of one send with acks=all",
    }),
  };
}
