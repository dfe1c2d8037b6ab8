import { isDuplicateKey, type Mongo } from "@asset-register/mongo";
import { activeTracer, extractTraceparent, failSpan, type Logger, SpanKind } from "@asset-register/runtime";
import { trace } from "@opentelemetry/api";
import type { KafkaMessage } from "kafkajs";
import { isPoison, PoisonError } from "./failure.ts";
import { once } from "./inbox.ts";
import { decodeIncoming, type Incoming, isOfNewerRelease } from "./incoming.ts";
import type { ConsumerMetrics } from "./metrics.ts";
import type { HandlerContext, Subscription } from "./subscription.ts";

export type Processing = {
  group: string;
  mongo: Mongo;
  logger: Logger;
  figures: ConsumerMetrics;
  /** Resolves when the broker has the dead letter. */
  bury(subscription: Subscription, partition: number, record: KafkaMessage, error: unknown): Promise<void>;
};

/** How many records from the first on are done; `error` says why it went no further. */
export type Progress = { done: number; error?: unknown };

type Work = Processing & { subscription: Subscription; partition: number; context: HandlerContext };

/**
 * Handles records of one partition, in order. An event that fails by its
 * content is buried and counts as done; any other failure ends the work before
 * the event that met it.
 */
export async function processRecords(work: Work, records: readonly KafkaMessage[]): Promise<Progress> {
  const { subscription } = work;
  if (subscription.mode === "batch" && records.length > 1) {
    const outcome = await handleTogether(work, records);
    if (outcome !== "one by one") return outcome;
  }
  for (const [index, record] of records.entries()) {
    const error = await handleOne(work, record);
    if (error !== undefined) return { done: index, error };
  }
  return { done: records.length };
}

/** The common case: one call for all. What can't be decoded, or a failure by content, makes it one by one. */
async function handleTogether(
  work: Work,
  records: readonly KafkaMessage[],
): Promise<Progress | "one by one"> {
  const { subscription, partition } = work;
  if (subscription.mode !== "batch") return "one by one";
  try {
    const events = records.map((record) => decodeIncoming(subscription.topic, partition, record));
    await traced(work, events, () => subscription.handle(events, work.context));
    count(work, records, events, "handled");
    return { done: records.length };
  } catch (error) {
    // One by one it is found which event is to blame, or that it was a race.
    if (isPoison(error) || isDuplicateKey(error)) return "one by one";
    return { done: 0, error };
  }
}

/** Answers the error that is not the event's fault, if there was one. */
async function handleOne(work: Work, record: KafkaMessage): Promise<unknown> {
  const { subscription, partition } = work;
  try {
    const event = decodeIncoming(subscription.topic, partition, record);
    count(work, [record], [event], await traced(work, [event], () => effect(work, event)));
    return undefined;
  } catch (error) {
    if (!isPoison(error)) return error;
    return bury(work, record, error);
  }
}

async function bury(work: Work, record: KafkaMessage, error: unknown): Promise<unknown> {
  try {
    await work.bury(work.subscription, work.partition, record, error);
    count(work, [record], [], "dead");
    return undefined;
  } catch (failure) {
    return failure;
  }
}

/** A unique index that refuses again after this many tries is a rule that the event breaks, not a race. */
const DUPLICATE_TRIES = 4;

async function effect(work: Work, event: Incoming): Promise<"handled" | "repeated"> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(work, event);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (tries === DUPLICATE_TRIES)
        throw new PoisonError("a unique index refuses its effect", { cause: error });
    }
  }
}

async function attempt(work: Work, event: Incoming): Promise<"handled" | "repeated"> {
  const { subscription, group, mongo, context } = work;
  if (subscription.mode === "batch") {
    await subscription.handle([event], context);
    return "handled";
  }
  const ran = await once(mongo, group, event.id, (session) => subscription.handle(event, session, context));
  return ran ? "handled" : "repeated";
}

/** A span of the consumer's own, linked with those that published. */
async function traced<T>(work: Work, events: readonly Incoming[], run: () => Promise<T>): Promise<T> {
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

function count(
  work: Work,
  records: readonly KafkaMessage[],
  events: readonly Incoming[],
  outcome: "handled" | "repeated" | "dead",
): void {
  const { figures, group, subscription } = work;
  const labels = { group, topic: subscription.topic.name };
  figures.consumed.inc({ ...labels, outcome }, records.length);
  const newer = events.filter(isOfNewerRelease).length;
  if (newer > 0) figures.newer.inc(labels, newer);
  const [oldest] = records;
  if (oldest !== undefined)
    figures.age.observe(labels, Math.max(0, Date.now() - Number(oldest.timestamp)) / 1_000);
}
