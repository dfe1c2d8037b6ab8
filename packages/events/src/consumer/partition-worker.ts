import { backoff, batches } from "@asset-register/runtime";
import type { EachBatchPayload } from "kafkajs";
import { createLagMeter } from "./lag-meter.ts";
import { type Processing, processRecords } from "./process-batch.ts";
import type { Subscription } from "./subscription.ts";

type WorkerOptions = Processing & {
  /** By the topic's full name. */
  subscriptions: ReadonlyMap<string, Subscription>;
  heartbeatMs: number;
  signal: AbortSignal;
};

/**
 * Creates the `eachBatch` function for kafkajs. When a dependency of a handler
 * is unavailable, the partition is paused. Its unhandled records are fetched
 * again after a growing delay, without end. Other partitions and the heartbeat
 * of the group continue.
 */
export function createPartitionWorker(options: WorkerOptions) {
  const { subscriptions, metrics, group, logger, signal } = options;
  const failures = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const lag = createLagMeter(metrics, group);

  function pauseFor(payload: EachBatchPayload, subscription: Subscription, error: unknown): void {
    const { topic, partition } = payload.batch;
    const name = `${topic}/${partition}`;
    const attempt = (failures.get(name) ?? 0) + 1;
    failures.set(name, attempt);
    const labels = { group, topic: subscription.topic.name };
    metrics.failures.inc(labels);
    const waitMs = backoff(attempt, { baseMs: 100, maxMs: 10_000 });
    const offset = payload.batch.firstOffset();
    logger.warn({ err: error, topic, partition, offset, attempt, wait_ms: waitMs }, "partition paused");
    const resume = payload.pause();
    metrics.paused.inc(labels);
    const timer = setTimeout(() => {
      timers.delete(timer);
      metrics.paused.dec(labels);
      resume();
    }, waitMs);
    timers.add(timer);
  }

  /** Returns the number of records of the batch that are handled. */
  async function work(
    payload: EachBatchPayload,
    subscription: Subscription,
    heartbeat: Heartbeat,
  ): Promise<number> {
    const { topic, partition, messages } = payload.batch;
    const context = { logger, signal };
    let handled = 0;
    for (const records of batches(messages, subscription.maxBatch)) {
      // Unresolved records are fetched again by the next owner of the partition.
      if (signal.aborted || !payload.isRunning() || payload.isStale() || heartbeat.failed()) return handled;
      const progress = await processRecords({ ...options, subscription, partition, context }, records);
      const last = records[progress.done - 1];
      if (last !== undefined) payload.resolveOffset(last.offset);
      handled += progress.done;
      if (progress.error !== undefined) {
        pauseFor(payload, subscription, progress.error);
        return handled;
      }
      failures.delete(`${topic}/${partition}`);
      heartbeat.beat();
    }
    return handled;
  }

  return {
    async eachBatch(payload: EachBatchPayload): Promise<void> {
      const subscription = subscriptions.get(payload.batch.topic);
      if (subscription === undefined) return;
      const heartbeat = startHeartbeat(payload, options.heartbeatMs);
      let handled = 0;
      try {
        handled = await work(payload, subscription, heartbeat);
      } finally {
        heartbeat.stop();
      }
      lag.measure(payload.batch, subscription.topic.name, handled);
      // kafkajs handles the error of the heartbeat (a rebalance), after the resolved offsets are stored.
      heartbeat.rethrow();
    },
    /** Call it after each rebalance, with the partitions of this process by the topics' full names. */
    assigned(partitions: Readonly<Record<string, readonly number[]>>): void {
      lag.keep(partitions);
    },
    stop(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

type Heartbeat = ReturnType<typeof startHeartbeat>;

/** Keeps the membership of the group while a handler runs for long, for example until a database time-out. */
function startHeartbeat(payload: EachBatchPayload, everyMs: number) {
  let failure: unknown;
  const beat = () => {
    payload.heartbeat().catch((error: unknown) => {
      failure ??= error;
    });
  };
  const timer = setInterval(beat, everyMs);
  return {
    beat,
    failed: () => failure !== undefined,
    stop: () => clearInterval(timer),
    rethrow: () => {
      if (failure !== undefined) throw failure;
    },
  };
}
