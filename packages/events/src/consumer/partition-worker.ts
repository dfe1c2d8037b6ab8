import { backoff } from "@asset-register/runtime";
import type { EachBatchPayload, KafkaMessage } from "kafkajs";
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
 * Makes kafkajs's eachBatch. When something that the events need is away, the
 * partition is paused and what is left of it is fetched again after a growing
 * while, for ever; the other partitions go on and the group's heartbeat too.
 */
export function createPartitionWorker(options: WorkerOptions) {
  const { subscriptions, figures, group, logger, signal } = options;
  const failures = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const lag = createLagMeter(figures, group);

  function pauseFor(payload: EachBatchPayload, subscription: Subscription, error: unknown): void {
    const { topic, partition } = payload.batch;
    const lane = `${topic}/${partition}`;
    const attempt = (failures.get(lane) ?? 0) + 1;
    failures.set(lane, attempt);
    const labels = { group, topic: subscription.topic.name };
    figures.failures.inc(labels);
    const waitMs = backoff(attempt, { baseMs: 100, maxMs: 10_000 });
    const offset = payload.batch.firstOffset();
    logger.warn({ err: error, topic, partition, offset, attempt, wait_ms: waitMs }, "partition paused");
    const resume = payload.pause();
    figures.paused.inc(labels);
    const timer = setTimeout(() => {
      timers.delete(timer);
      figures.paused.dec(labels);
      resume();
    }, waitMs);
    timers.add(timer);
  }

  /** Answers how many records of the batch are handled. */
  async function work(payload: EachBatchPayload, subscription: Subscription, heart: Heart): Promise<number> {
    const { topic, partition, messages } = payload.batch;
    const context = { logger, signal };
    let handled = 0;
    for (const records of chunks(messages, subscription.maxBatch)) {
      // What is not resolved is fetched again, by whoever has the partition then.
      if (signal.aborted || !payload.isRunning() || payload.isStale() || heart.failed()) return handled;
      const progress = await processRecords({ ...options, subscription, partition, context }, records);
      const last = records[progress.done - 1];
      if (last !== undefined) payload.resolveOffset(last.offset);
      handled += progress.done;
      if (progress.error !== undefined) {
        pauseFor(payload, subscription, progress.error);
        return handled;
      }
      failures.delete(`${topic}/${partition}`);
      heart.beat();
    }
    return handled;
  }

  return {
    async eachBatch(payload: EachBatchPayload): Promise<void> {
      const subscription = subscriptions.get(payload.batch.topic);
      if (subscription === undefined) return;
      const heart = startHeartbeat(payload, options.heartbeatMs);
      let handled = 0;
      try {
        handled = await work(payload, subscription, heart);
      } finally {
        heart.stop();
      }
      lag.measure(payload.batch, subscription.topic.name, handled);
      // What the heartbeat met (a rebalance) is for kafkajs to handle, after the resolved offsets are kept.
      heart.rethrow();
    },
    /** The group has given the partitions out anew: these, by the topics' full names, are this process's. */
    assigned(partitions: Readonly<Record<string, readonly number[]>>): void {
      lag.keep(partitions);
    },
    stop(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

type Heart = ReturnType<typeof startHeartbeat>;

/** Keeps the membership while a handler works for long, a database's time-out for instance. */
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

function chunks(messages: readonly KafkaMessage[], size: number): KafkaMessage[][] {
  const parts: KafkaMessage[][] = [];
  for (let at = 0; at < messages.length; at += size) parts.push(messages.slice(at, at + size));
  return parts;
}
