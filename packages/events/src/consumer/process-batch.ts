import { isDuplicateKey } from "@asset-register/mongo";
import { activeTracer, extractTraceparent, failSpan, type Logger, SpanKind } from "@asset-register/runtime";
import { trace } from "@opentelemetry/api";
import type { KafkaMessage } from "kafkajs";
import { isPoison, PoisonError } from "./failure.ts";
import { decodeIncoming, type Incoming, isOfNewerRelease } from "./incoming.ts";
import type { ConsumerMetrics } from "./metrics.ts";
import type { HandlerContext, Subscription } from "./subscription.ts";

export type Processing = {
  group: string;
  logger: Logger;
  metrics: ConsumerMetrics;
  /** Resolves when the broker has acknowledged the dead letter. */
  sendDeadLetter(
    subscription: Subscription,
    partition: number,
    record: KafkaMessage,
    error: unknown,
  ): Promise<void>;
};

/** `done` records, from the first one on, are handled. `error` is the failure that stopped the processing. */
export type Progress = { done: number; error?: unknown };

export type Work = Processing & { subscription: Subscription; context: HandlerContext };

/** Records of one partition, in order. */
export type PartitionChunk = { partition: number; records: readonly KafkaMessage[] };

/** Events that are handled one by one end their chunk after this time. */
const CHUNK_MS = 1_000;

/**
 * Handles the chunks of some partitions in one call. Returns false if it fails: then nothing is known about any of them, and
 * each is to be handled on its own.
 */
export async function handleShared(work: Work, chunks: readonly PartitionChunk[]): Promise<boolean> {
  const { outcome, error } = await handleTogether(work, chunks);
  if (outcome === "handled") return true;
  work.logger.debug({ err: error, topic: work.subscription.topic.name }, "shared call failed");
  return false;
}

/**
 * Handles records of one partition, in order. It ends before the last record
 * when the signal is aborted, or after a second of records one by one.
 *
 * | Failure                   | Result                                         |
 * | ------------------------- | ---------------------------------------------- |
 * | by the event's content    | the event becomes a dead letter, counts as done |
 * | any other                 | processing stops before this event             |
 */
export async function processChunk(work: Work, chunk: PartitionChunk): Promise<Progress> {
  const { context } = work;
  const { records } = chunk;
  if (records.length > 1) {
    const { outcome, error } = await handleTogether(work, [chunk]);
    if (outcome === "handled") return { done: records.length };
    if (outcome === "failed") return { done: 0, error };
  }
  const until = performance.now() + CHUNK_MS;
  for (const [index, record] of records.entries()) {
    if (context.signal.aborted || (index > 0 && performance.now() > until)) return { done: index };
    const error = await handleOne(work, chunk.partition, record);
    if (error !== undefined) return { done: index, error };
  }
  return { done: records.length };
}

type Outcome = { outcome: "handled" | "failed" | "failed by content"; error?: unknown };

/**
 * The common case: one call for all records. After a decoding error or a failure by content, one call for each event shows
 * which one caused it, or that it was a race.
 */
async function handleTogether(work: Work, chunks: readonly PartitionChunk[]): Promise<Outcome> {
  const { topic, handle } = work.subscription;
  const records = chunks.flatMap((chunk) => chunk.records);
  try {
    const events = chunks.flatMap((chunk) =>
      chunk.records.map((record) => decodeIncoming(topic, chunk.partition, record)),
    );
    await withSpan(work, events, () => handle(events, work.context));
    countEvents(work, records, events, "handled");
    return { outcome: "handled" };
  } catch (error) {
    return { outcome: isPoison(error) || isDuplicateKey(error) ? "failed by content" : "failed", error };
  }
}

/** Returns the error if the event's content did not cause it. */
async function handleOne(work: Work, partition: number, record: KafkaMessage): Promise<unknown> {
  try {
    const event = decodeIncoming(work.subscription.topic, partition, record);
    await withSpan(work, [event], () => handleEvent(work, event));
    countEvents(work, [record], [event], "handled");
    return undefined;
  } catch (error) {
    // A call that was cut off says nothing about the event.
    if (!isPoison(error) || work.context.signal.aborted) return error;
    return deadLetter(work, partition, record, error);
  }
}

/** Returns the error if the dead letter could not be sent. */
export async function deadLetter(
  work: Work,
  partition: number,
  record: KafkaMessage,
  error: unknown,
): Promise<unknown> {
  try {
    await work.sendDeadLetter(work.subscription, partition, record, error);
    countEvents(work, [record], [], "dead");
    return undefined;
  } catch (failure) {
    return failure;
  }
}

/** If a unique index still refuses after this many attempts, the event breaks a rule: it is not a race. */
const DUPLICATE_TRIES = 4;

async function handleEvent({ subscription, context }: Work, event: Incoming): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await subscription.handle([event], context);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (tries === DUPLICATE_TRIES)
        throw new PoisonError("a unique index refuses the effect of the event", { cause: error });
    }
  }
}

/** Runs the handler in a span of the consumer, which is linked with the spans that published the events. */
async function withSpan<T>(work: Work, events: readonly Incoming[], run: () => Promise<T>): Promise<T> {
  const links = events.slice(0, 32).flatMap(({ traceparent }) => {
    if (traceparent === undefined) return [];
    const context = trace.getSpanContext(extractTraceparent(traceparent));
    return context === undefined ? [] : [{ context }];
  });
  const options = {
    kind: SpanKind.CONSUMER,
    links,
    attributes: { "messaging.system": "kafka", "messaging.batch.message_count": events.length },
  };
  return activeTracer().startActiveSpan(`process ${work.subscription.topic.name}`, options, async (span) => {
    try {
      return await run();
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function countEvents(
  work: Work,
  records: readonly KafkaMessage[],
  events: readonly Incoming[],
  outcome: "handled" | "dead",
): void {
  const { metrics, group, subscription } = work;
  const labels = { group, topic: subscription.topic.name };
  metrics.consumed.inc({ ...labels, outcome }, records.length);
  const newer = events.filter(isOfNewerRelease).length;
  if (newer > 0) metrics.newer.inc(labels, newer);
  const oldest = Math.min(...records.map(({ timestamp }) => Number(timestamp)));
  if (Number.isFinite(oldest)) metrics.age.observe(labels, Math.max(0, Date.now() - oldest) / 1_000);
}
