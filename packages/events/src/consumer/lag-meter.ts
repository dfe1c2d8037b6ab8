import type { Batch } from "kafkajs";
import type { ConsumerMetrics } from "./metrics.ts";

type Lag = { records: number; seconds: number };
type Measured = Pick<Batch, "topic" | "partition" | "messages" | "offsetLag">;

/** Measures the lag of each assigned partition. The metrics are the sum of the records and the highest age. */
export function createLagMeter(metrics: Pick<ConsumerMetrics, "lagRecords" | "lagSeconds">, group: string) {
  /** By the topic's full name. `label` is the name without prefix. */
  const topics = new Map<string, { label: string; partitions: Map<number, Lag> }>();

  function show(): void {
    // A topic and its retry topic share a label.
    for (const [topic, held] of Map.groupBy(topics.values(), ({ label }) => label)) {
      const lags = held.flatMap(({ partitions }) => [...partitions.values()]);
      const labels = { group, topic };
      metrics.lagRecords.set(
        labels,
        lags.reduce((sum, lag) => sum + lag.records, 0),
      );
      metrics.lagSeconds.set(labels, Math.max(0, ...lags.map((lag) => lag.seconds)));
    }
  }

  return {
    /** Call it after a batch of which the first `handled` records are done. The unhandled records count as lag. */
    measure(batch: Measured, label: string, handled: number): void {
      const held = topics.get(batch.topic) ?? { label, partitions: new Map<number, Lag>() };
      topics.set(batch.topic, held);
      const left = batch.messages.length - handled;
      const records = Math.max(0, Number(batch.offsetLag())) + left;
      const next = batch.messages[handled] ?? batch.messages.at(-1);
      const seconds =
        records === 0 ? 0 : Math.max(0, Date.now() - Number(next?.timestamp ?? Date.now())) / 1_000;
      held.partitions.set(batch.partition, { records, seconds });
      show();
    },
    /** Forgets partitions that are not assigned to this process any more: another process measures them. */
    keep(assigned: Readonly<Record<string, readonly number[]>>): void {
      for (const [topic, { partitions }] of topics)
        for (const partition of partitions.keys())
          if (assigned[topic]?.includes(partition) !== true) partitions.delete(partition);
      show();
    },
  };
}
