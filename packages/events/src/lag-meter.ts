import type { Batch } from "kafkajs";
import type { ConsumerMetrics } from "./consumer-metrics.ts";

type Lag = { records: number; seconds: number };

/** Keeps the lag of each partition seen: the sum of their records and the worst of their ages are the figures. */
export function createLagMeter(figures: ConsumerMetrics, group: string) {
  const topics = new Map<string, Map<number, Lag>>();
  return {
    measure(topic: string, batch: Batch): void {
      const partitions = topics.get(topic) ?? new Map<number, Lag>();
      topics.set(topic, partitions);
      const records = Math.max(0, Number(batch.offsetLag()));
      const newest = Number(batch.messages.at(-1)?.timestamp ?? Date.now());
      const seconds = records === 0 ? 0 : Math.max(0, Date.now() - newest) / 1_000;
      partitions.set(batch.partition, { records, seconds });
      const lags = [...partitions.values()];
      const labels = { group, topic };
      figures.lagRecords.set(
        labels,
        lags.reduce((sum, lag) => sum + lag.records, 0),
      );
      figures.lagSeconds.set(labels, Math.max(...lags.map((lag) => lag.seconds)));
    },
  };
}
