import { backoff, endsWithin, sleep } from "@asset-register/runtime";
import type { EachBatchPayload } from "kafkajs";
import { type ChunkCallsOptions, createChunkCalls, type HeldBatch } from "./chunk-calls.ts";
import { type ChunkSize, createChunkSize } from "./chunk-size.ts";
import { createLagMeter } from "./lag-meter.ts";
import type { Subscription } from "./subscription.ts";

type WorkerOptions = ChunkCallsOptions & {
  /** By the topic's full name. */
  subscriptions: ReadonlyMap<string, Subscription>;
  /** Aborted before the consumer leaves its group. */
  stopping: AbortSignal;
};

/** kafkajs waits this long for a batch. A longer one continues in the background, while other partitions are fetched. */
const FOREGROUND_MS = 200;
/** The time from one assignment of partitions to the next. */
type Generation = {
  /** Aborted when the partitions are revoked, or the consumer stops. */
  signal: AbortSignal;
  abort(reason: Error): void;
  /** After this nothing may be committed: other members may own the partitions. */
  isOver: boolean;
  chunkSizes: Map<string, ChunkSize>;
};

/** A batch that is being processed. */
type Held = HeldBatch & {
  generation: Generation;
  /** Whether it counts as paused. */
  isPaused: boolean;
};

/**
 * Creates the `eachBatch` function for kafkajs. Each partition is processed in order. Small chunks of several
 * partitions share a call of the handler, because what a call costs hardly depends on its events. If such a call fails or
 * takes long, each partition goes on with a call of its own, so that only the one whose event fails or hangs is paused:
 * kafkajs alone would fetch nothing until the slowest batch of a fetch has ended. So at most one batch of each partition is
 * in memory.
 *
 * When a dependency of a handler is unavailable, the unhandled events are retried after a growing delay, without end.
 */
export function createPartitionWorker(options: WorkerOptions) {
  const { subscriptions, metrics, group, logger } = options;
  const running = new Map<string, Promise<void>>();
  const resumes = new Set<() => void>();
  const lag = createLagMeter(metrics, group);
  const calls = createChunkCalls(options);
  let generation = createGeneration();

  /** Handles the batch from its first event to its last, or until the partition is revoked. */
  async function work(held: Held, isFirst: boolean): Promise<void> {
    const { payload, subscription, chunkSize } = held;
    const { signal } = held.generation;
    const { messages } = payload.batch;
    let isSuspicious = isFirst;
    for (let handled = 0, failures = 0; handled < messages.length; ) {
      const records = messages.slice(handled, handled + chunkSize.get());
      const { progress, given, done, ms } = await calls.handle({ held, records, isSuspicious });
      signal.throwIfAborted();
      if (progress === undefined) {
        isSuspicious = true;
        continue;
      }
      handled += progress.done;
      lag.measure(payload.batch, subscription.topic.name, handled);
      isSuspicious = progress.error !== undefined;
      if (isSuspicious) {
        failures = progress.done > 0 ? 1 : failures + 1;
        chunkSize.failed();
        await pause(held, { attempt: failures, offset: messages[handled]?.offset, error: progress.error });
      } else {
        setPaused(held, false);
        failures = 0;
        chunkSize.succeeded(given, done, ms);
      }
    }
  }

  /** Waits before a retry. Rejects when the partition is revoked. */
  async function pause(
    held: Held,
    { attempt, offset, error }: { attempt: number; offset: string | undefined; error: unknown },
  ): Promise<void> {
    const { payload, subscription, generation } = held;
    const { topic, partition } = payload.batch;
    const waitMs = backoff(attempt, { baseMs: 100, maxMs: 10_000 });
    logger.warn({ err: error, topic, partition, offset, attempt, wait_ms: waitMs }, "partition paused");
    metrics.failures.inc({ group, topic: subscription.topic.name });
    setPaused(held, true);
    await sleep(waitMs, generation.signal);
  }

  /** From its first failure until it succeeds or ends: an alert would miss a batch that counts only between its retries. */
  function setPaused(held: Held, isPaused: boolean): void {
    if (held.isPaused === isPaused) return;
    held.isPaused = isPaused;
    metrics.paused.inc({ group, topic: held.subscription.topic.name }, isPaused ? 1 : -1);
  }

  /** Begins after the batch before it: a revoked batch of the same partition may still be in its last call. */
  function start(name: string, held: Held, isFirst: boolean): Promise<void> {
    const previous = running.get(name);
    const run = async () => {
      try {
        await previous?.catch(() => {});
        await work(held, isFirst);
      } catch (error) {
        // The next owner of the partition fetches the unhandled events again.
        if (!held.generation.signal.aborted) throw error;
      } finally {
        setPaused(held, false);
      }
    };
    const batch = run().finally(() => {
      if (running.get(name) === batch) running.delete(name);
    });
    running.set(name, batch);
    return batch;
  }

  return {
    async eachBatch(payload: EachBatchPayload): Promise<void> {
      const { topic, partition } = payload.batch;
      const subscription = subscriptions.get(topic);
      if (subscription === undefined) return;
      const own = generation;
      if (own.signal.aborted) {
        if (!options.stopping.aborted) throw notJoined();
        payload.pause();
        return;
      }
      const name = `${topic}/${partition}`;
      const known = own.chunkSizes.get(name);
      const chunkSize = known ?? createChunkSize(subscription.maxBatch);
      own.chunkSizes.set(name, chunkSize);
      const batch = start(
        name,
        { payload, subscription, chunkSize, generation: own, isPaused: false },
        known === undefined,
      );
      if (await endsWithin(batch, FOREGROUND_MS)) return batch;
      const resume = payload.pause();
      resumes.add(resume);
      void batch
        .catch((error: unknown) => {
          logger.error({ err: error, topic, partition, group }, "batch failed, it is fetched again");
        })
        .then(() => {
          if (resumes.delete(resume)) resume();
        });
    },
    /** Whether a partition is not fetched now, because its batch takes long. */
    hasPaused: (): boolean => resumes.size > 0,
    /** Call it after each rebalance, with the partitions of this process by the topics' full names. */
    assigned(partitions: Readonly<Record<string, readonly number[]>>): void {
      generation = createGeneration();
      // The pauses of kafkajs outlive a rebalance.
      for (const resume of resumes) resume();
      resumes.clear();
      lag.keep(partitions);
    },
    /**
     * Aborts all batches, before the group assigns partitions again or the consumer stops. Resolves when the handlers
     * have ended and the offsets of the handled events are committed, but after `ms` at the latest.
     */
    async revoke(reason: Error, ms: number): Promise<void> {
      const own = generation;
      own.abort(reason);
      if (!(await endsWithin(Promise.allSettled([...running.values(), calls.unfinished()]), ms)))
        logger.warn({ group, ms }, "a handler did not stop in time; its events may be handled again");
      own.isOver = true;
    },
  };
}

/**
 * If a join fails, for example because the coordinator is being loaded, kafkajs continues as the member that it was.
 * Then no assignment follows, and nothing would be handled any more. This error makes it join again.
 */
function notJoined(): Error {
  return Object.assign(new Error("the member has not joined its group again"), {
    type: "REBALANCE_IN_PROGRESS",
  });
}

function createGeneration(): Generation {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    isOver: false,
    chunkSizes: new Map(),
  };
}
