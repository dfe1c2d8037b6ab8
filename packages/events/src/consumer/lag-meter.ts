import type { Batch } from "kafkajs";
import type { ConsumerMetrics } from "./metrics.ts";

type Lag = { records: number; seconds: number };
type Measured = Pick<Batch, "topic" | "partition" | "messages" | "offsetLag">;

/** Keeps the lag of each partition held: the sum of their records and the worst of their ages are the figures. */
export function createLagMeter(figures: Pick<ConsumerMetrics, "lagRecords" | "lagSeconds">, group: string) {
  /** By the topic's full name; `label` is the one without prefix. */
  const topics = new Map<string, { label: string; partitions: Map<number, Lag> }>();

  function show(): void {
    // A topic and its retry topic share a label.
    for (const [topic, held] of Map.groupBy(topics.values(), ({ label }) => label)) {
      const lags = held.flatMap(({ partitions }) => [...partitions.values()]);
      const labels = { group, topic };
      figures.lagRecords.set(
        labels,
        lags.reduce((sum, lag) => sum + lag.records, 0),
      );
      figures.lagSeconds.set(labels, Math.max(0, ...lags.map((lag) => lag.seconds)));
    }
  }

  return {
    /** After a batch of which the first `handled` records are done: what a pause leaves is lag like what waits behind. */
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
    /** Forgets partitions that another process has now: it measures them. */
    keep(assigned: Readonly<Record<string, readonly number[]>>): void {
      for (const [topic, { partitions }] of topics)
        for (const partition of partitions.keys())
          if (assigned[topic]?.includes(partition) !== true) partitions.delete(partition);
      show();
    },
  };
}
