import { backoff, sleep } from "@asset-register/runtime";
import type { EachBatchPayload, KafkaMessage } from "kafkajs";
import { sum } from "../sum.ts";
import { endsWithin } from "../within.ts";
import { type ChunkSize, createChunkSize } from "./chunk-size.ts";
import { createLagMeter } from "./lag-meter.ts";
import {
  deadLetter,
  handleShared,
  type PartitionChunk,
  type Processing,
  type Progress,
  processChunk,
  type Work,
} from "./process-batch.ts";
import { createSharedCalls } from "./shared-calls.ts";
import type { Skips } from "./skips.ts";
import type { Subscription } from "./subscription.ts";

type WorkerOptions = Processing & {
  /** By the topic's full name. */
  subscriptions: ReadonlyMap<string, Subscription>;
  /** Calls of the handler of one topic at the same time. */
  concurrency: number;
  /** A call for several partitions is aborted after this time, and each goes on with a call of its own. */
  sharedCallMs: number;
  skips: Pick<Skips, "isAsked" | "markSkipped">;
  /** Aborted before the consumer leaves its group. */
  stopping: AbortSignal;
};

/** kafkajs waits this long for a batch. A longer one continues in the background, while other partitions are fetched. */
const FOREGROUND_MS = 200;
/** A call that takes longer gives its place to other partitions. */
const CALL_MS = 1_000;
/** Events of several partitions in one call. An import, for example, comes as a few events of each partition. */
const SHARED_EVENTS = 200;

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
type Held = {
  payload: EachBatchPayload;
  subscription: Subscription;
  chunkSize: ChunkSize;
  call(chunk: Chunk): Promise<Handled>;
  generation: Generation;
  /** Whether it counts as paused. */
  isPaused: boolean;
};

/** The next records of a batch. */
type Chunk = { held: Held; records: readonly KafkaMessage[]; isSuspicious: boolean };

/**
 * How many events a call was given, how many of them it handled, and what it took. Undefined progress: a call for several
 * partitions has failed, and the next call of each is its own.
 */
type Handled = { progress: Progress | undefined; given: number; done: number; ms: number };

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
  const { subscriptions, metrics, group, logger, skips, sharedCallMs } = options;
  const running = new Map<string, Promise<void>>();
  /** Calls for several partitions that are no longer waited for may still run. */
  const sharedCalls = new Set<Promise<unknown>>();
  const resumes = new Set<() => void>();
  const lag = createLagMeter(metrics, group);
  // A topic and its retry topic share their calls.
  const calls = new Map(
    [...new Set(subscriptions.values())].map((subscription) => [
      subscription,
      createSharedCalls({
        ...{ count: options.concurrency, holdMs: CALL_MS, joins },
        call: (chunks: readonly Chunk[]) => handle(subscription, chunks),
      }),
    ]),
  );
  let generation = createGeneration();

  /** Handles the batch from its first event to its last, or until the partition is revoked. */
  async function work(held: Held, isFirst: boolean): Promise<void> {
    const { payload, subscription, chunkSize, call } = held;
    const { signal } = held.generation;
    const { messages } = payload.batch;
    let isSuspicious = isFirst;
    for (let handled = 0, failures = 0; handled < messages.length; ) {
      const records = messages.slice(handled, handled + chunkSize.get());
      const { progress, given, done, ms } = await call({ held, records, isSuspicious });
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

  async function handle(subscription: Subscription, chunks: readonly Chunk[]): Promise<Handled[]> {
    const [first] = chunks;
    if (first === undefined) return [];
    const { signal } = first.held.generation;
    signal.throwIfAborted();
    const work = { ...options, subscription, context: { logger, signal } };
    const started = performance.now();
    const progress = chunks.length === 1 ? [await handleAlone(work, first)] : await handleAll(work, chunks);
    const ms = performance.now() - started;
    const given = sum(chunks.map(({ records }) => records.length));
    const done = sum(progress.map((one) => one?.done ?? 0));
    if (done > 0) await commit(chunks, progress);
    return progress.map((one) => ({ progress: one, given, done, ms }));
  }

  async function handleAlone(work: Work, chunk: Chunk): Promise<Progress> {
    const skipped = chunk.isSuspicious ? await skipIfAsked(work, chunk) : undefined;
    return skipped ?? processChunk(work, partitionChunk(chunk));
  }

  async function handleAll(work: Work, chunks: readonly Chunk[]): Promise<(Progress | undefined)[]> {
    const late = new AbortController();
    const signal = AbortSignal.any([work.context.signal, late.signal]);
    const shared = { ...work, context: { ...work.context, signal } };
    const handled = handleShared(shared, chunks.map(partitionChunk));
    sharedCalls.add(handled);
    void handled.finally(() => sharedCalls.delete(handled));
    if ((await endsWithin(handled, sharedCallMs)) && (await handled))
      return chunks.map(({ records }) => ({ done: records.length }));
    late.abort(
      new Error(`a call for ${chunks.length} partitions failed, or took more than ${sharedCallMs} ms`),
    );
    return chunks.map(() => undefined);
  }

  /** An event that fails each time, or whose handler never ends, can be skipped: at a retry, or after a restart. */
  async function skipIfAsked(work: Work, { held, records }: Chunk): Promise<Progress | undefined> {
    const { topic, partition } = held.payload.batch;
    const [first] = records;
    if (first === undefined) return undefined;
    try {
      const position = { topic, partition, offset: first.offset };
      if (!(await skips.isAsked(position))) return undefined;
      const error = await deadLetter(work, partition, first, new Error("skipped"));
      if (error !== undefined) return { done: 0, error };
      await skips.markSkipped(position);
      return { done: 1 };
    } catch (error) {
      return { done: 0, error };
    }
  }

  /** Commits the handled events of the chunks. If that fails, the next commit of a partition includes them. */
  async function commit(
    chunks: readonly Chunk[],
    progress: readonly (Progress | undefined)[],
  ): Promise<void> {
    for (const [index, { held, records }] of chunks.entries()) {
      const last = records[(progress[index]?.done ?? 0) - 1];
      if (last === undefined || held.generation.isOver) continue;
      held.payload.resolveOffset(last.offset);
    }
    const [first] = chunks;
    if (first === undefined || first.held.generation.isOver) return;
    try {
      // It commits what is resolved of every partition.
      await first.held.payload.commitOffsetsIfNecessary();
    } catch (error) {
      logger.debug({ err: error, topic: first.held.subscription.topic.name, group }, "offset not committed");
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
      const call = subscription && calls.get(subscription);
      if (subscription === undefined || call === undefined) return;
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
        { payload, subscription, chunkSize, call, generation: own, isPaused: false },
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
      if (!(await endsWithin(Promise.allSettled([...running.values(), ...sharedCalls]), ms)))
        logger.warn({ group, ms }, "a handler did not stop in time; its events may be handled again");
      own.isOver = true;
    },
  };
}

/**
 * Whether a chunk may share the call of those before it: one of the same assignment, whose next event is not known to fail or
 * hang, and together no more events than a call of each may have.
 */
function joins(group: readonly Chunk[], next: Chunk): boolean {
  const chunks = [...group, next];
  const events = sum(chunks.map(({ records }) => records.length));
  return chunks.every(
    ({ held: { chunkSize, generation }, isSuspicious }) =>
      !isSuspicious &&
      generation === next.held.generation &&
      events <= Math.min(SHARED_EVENTS, chunkSize.get()),
  );
}

const partitionChunk = ({ held, records }: Chunk): PartitionChunk => ({
  partition: held.payload.batch.partition,
  records,
});

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
