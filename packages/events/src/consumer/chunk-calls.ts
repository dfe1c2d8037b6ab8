import { endsWithin } from "@asset-register/runtime";
import type { EachBatchPayload, KafkaMessage } from "kafkajs";
import { sum } from "../sum.ts";
import type { ChunkSize } from "./chunk-size.ts";
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

export type ChunkCallsOptions = Processing & {
  /** Calls of the handler of one topic at the same time. */
  concurrency: number;
  /** A call for several partitions is aborted after this time, and each goes on with a call of its own. */
  sharedCallMs: number;
  skips: Pick<Skips, "isAsked" | "markSkipped">;
};

/** A batch whose partition this process owns while the generation is not over. */
export type HeldBatch = {
  payload: EachBatchPayload;
  subscription: Subscription;
  chunkSize: ChunkSize;
  generation: { readonly signal: AbortSignal; readonly isOver: boolean };
};

/** The next records of a batch. */
type Chunk = { held: HeldBatch; records: readonly KafkaMessage[]; isSuspicious: boolean };

/**
 * How many events a call was given, how many of them it handled, and what it took. Undefined progress: a call for several
 * partitions has failed, and the next call of each is its own.
 */
type Handled = { progress: Progress | undefined; given: number; done: number; ms: number };

/** A call that takes longer gives its place to other partitions. */
const CALL_MS = 1_000;
/** Events of several partitions in one call. An import, for example, comes as a few events of each partition. */
const SHARED_EVENTS = 200;

/** Makes the calls of the handlers, each for a chunk or for small ones of several partitions, and commits what they handled. */
export function createChunkCalls(options: ChunkCallsOptions) {
  const { group, logger, skips, sharedCallMs } = options;
  /** Those that are no longer waited for may still run. */
  const sharedCalls = new Set<Promise<unknown>>();
  /** A topic and its retry topic share their calls. */
  const calls = new Map<Subscription, (chunk: Chunk) => Promise<Handled>>();

  function callsOf(subscription: Subscription): (chunk: Chunk) => Promise<Handled> {
    const call =
      calls.get(subscription) ??
      createSharedCalls<Chunk, Handled>({
        ...{ count: options.concurrency, holdMs: CALL_MS, joins },
        call: (chunks) => handleGroup(subscription, chunks),
      });
    calls.set(subscription, call);
    return call;
  }

  async function handleGroup(subscription: Subscription, chunks: readonly Chunk[]): Promise<Handled[]> {
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

  return {
    handle: (chunk: Chunk): Promise<Handled> => callsOf(chunk.held.subscription)(chunk),
    /** Resolves when the calls for several partitions have ended, those that are no longer waited for too. */
    unfinished: (): Promise<unknown> => Promise.allSettled(sharedCalls),
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
