import { setImmediate } from "node:timers/promises";
import { type Logger, type Metrics, unavailable } from "@asset-register/runtime";
import { type Producer as KafkaProducer, Partitioners } from "kafkajs";
import type { KafkaConnection } from "./connect.ts";
import { refusedForContent } from "./errors.ts";
import { createOwnProducer, type SizedRecord } from "./own-producer.ts";
import { createPartitionLookup } from "./partitions.ts";
import { createProducerMetrics } from "./producer-metrics.ts";
import { recordSize } from "./record-size.ts";
import {
  bytesOf,
  isRefused,
  isTogether,
  type Target,
  takeFrom,
  unwritable,
  type Waiting,
  waitFor,
} from "./targets.ts";

/** A record to send. Without `partition`, the key selects the partition. */
export type ProducerRecord = {
  topic: { name: string };
  key: string | Buffer | null;
  partition?: number;
  value: Uint8Array | null;
  headers?: Record<string, string | Buffer>;
};

export type ProducerOptions = {
  kafka: KafkaConnection;
  logger: Logger;
  metrics: Metrics;
  /** Topics that it sends to. `connect` requests their partition counts. */
  topics: readonly { name: string }[];
  /** `send` fails after this time. Default: 5 s. */
  timeoutMs?: number;
  /** Limit of the queue. Beyond it, `send` fails immediately. Default: 64 MiB. */
  maxQueuedBytes?: number;
};

export type Producer = {
  /** Connects early, to make the first send fast. If the broker is unavailable, it only logs a warning. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /**
   * Resolves when the broker has acknowledged every record (acks=all). After
   * an error some records may be stored, so receivers must tolerate repeats.
   *
   * @throws AppError unavailable if not all records are known to be stored
   */
  send(records: readonly ProducerRecord[]): Promise<void>;
  /**
   * The partition that every default partitioner selects for this key.
   *
   * @throws AppError unavailable before the partition count is known
   */
  partitionFor(topic: { name: string }, key: string | Buffer): number;
};

/** Size limit of one round. It limits how much is repeated after a failed send. */
const MAX_ROUND_BYTES = 8 * 1024 * 1024;
/** The retries of kafkajs while the leader of a partition moves: 0.8 s together. */
const RETRIES = { initialRetryTime: 50, maxRetryTime: 500, retries: 4 };
/** The retries of a partition that is sent alone: a round with it has failed before. */
const RETRIES_ALONE = { ...RETRIES, retries: 2 };

/**
 * Creates a producer with one send at a time. Records that arrive during a send leave together in the next one, for all
 * partitions.
 *
 * kafkajs does not report which partition made a send fail. So each partition of a failed send is then sent alone, by a
 * producer of its own, and the next rounds do not wait for it. If it can be written, it takes part in the rounds again. If
 * not, its sends fail, and at once until the next try.
 */
export function createProducer(options: ProducerOptions): Producer {
  const { kafka, logger, topics, timeoutMs = 5_000, maxQueuedBytes = 64 * 1024 * 1024 } = options;
  const lookup = createPartitionLookup(kafka);
  const metrics = createProducerMetrics(options.metrics);
  // A round and the send of a partition alone share the time of the caller.
  const limitMs = timeoutMs / 2;
  const together = createOwnProducer(() => open(RETRIES), limitMs);
  const targets = new Map<string, Target>();
  const alone = new Set<Promise<void>>();
  let queuedBytes = 0;
  let draining: Promise<void> | undefined;
  let closed = false;

  async function open(retry: typeof RETRIES): Promise<KafkaProducer> {
    await lookup.load(topics);
    const client = kafka.client({
      requestTimeout: limitMs,
      connectionTimeout: Math.min(limitMs, 3_000),
      retry,
    });
    const created = client.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry,
    });
    try {
      await created.connect();
    } catch (error) {
      // The broker may accept the connection and refuse a producer id: each retry would then leak a connection.
      await created.disconnect().catch(() => {});
      throw error;
    }
    return created;
  }

  function take(target: Target, maxBytes: number): Waiting[] {
    const taken = takeFrom(target, maxBytes);
    for (const { bytes } of taken) queuedBytes -= bytes;
    // Timed out: its sender already got an error and repeats it.
    return taken.filter(({ settled }) => !settled);
  }

  function putBack(target: Target, waiting: readonly Waiting[]): void {
    target.queue.unshift(...waiting);
    for (const { bytes } of waiting) queuedBytes += bytes;
  }

  function nextRound(): Map<Target, Waiting[]> {
    const round = new Map<Target, Waiting[]>();
    let left = MAX_ROUND_BYTES;
    for (const target of [...targets.values()]) {
      if (left <= 0 || target.queue.length === 0 || !isTogether(target)) continue;
      const taken = take(target, left);
      for (const { bytes } of taken) left -= bytes;
      if (taken.length > 0) round.set(target, taken);
      // Targets that did not fit come first in the next round.
      if (target.queue.length > 0) move(target);
    }
    return round;
  }

  function move(target: Target): void {
    targets.delete(target.name);
    targets.set(target.name, target);
  }

  async function sendThrough(through: typeof together, waiting: readonly Waiting[]): Promise<void> {
    const end = metrics.duration.startTimer();
    try {
      const records = waiting.flatMap((one) => one.records);
      await through.send(records);
      metrics.sends.inc({ outcome: "acknowledged" });
      metrics.records.inc(records.length);
      for (const one of waiting) one.settle();
    } catch (error) {
      metrics.sends.inc({ outcome: "failed" });
      throw error;
    } finally {
      end();
    }
  }

  async function sendTogether(round: ReadonlyMap<Target, Waiting[]>): Promise<void> {
    try {
      await sendThrough(together, [...round.values()].flat());
    } catch (error) {
      const names = [...round.keys()].map(({ name }) => name);
      logger.warn({ err: error, targets: names }, "records not acknowledged; each partition is sent alone");
      for (const [target, waiting] of round) {
        putBack(target, waiting);
        startAlone(target);
      }
    }
  }

  function startAlone(target: Target): void {
    target.isAlone = true;
    const sent = sendAlone(target).finally(() => alone.delete(sent));
    alone.add(sent);
  }

  async function sendAlone(target: Target): Promise<void> {
    const own = createOwnProducer(() => open(RETRIES_ALONE), limitMs);
    const waiting = take(target, MAX_ROUND_BYTES);
    try {
      if (waiting.length > 0) await sendThrough(own, waiting);
      target.failedAt = undefined;
    } catch (error) {
      logger.warn({ err: error, target: target.name }, "records not acknowledged");
      const failed = refusedForContent(error)
        ? waiting
        : [...waiting, ...take(target, Number.POSITIVE_INFINITY)];
      for (const one of failed) one.settle(error);
      target.failedAt = refusedForContent(error) ? undefined : performance.now();
    } finally {
      target.isAlone = false;
      await own.close();
    }
    if (target.queue.length > 0) wake();
  }

  async function drain(): Promise<void> {
    for (;;) {
      // Records that callers add in this turn of the event loop leave together.
      await setImmediate();
      const round = nextRound();
      if (round.size === 0) break;
      await sendTogether(round);
    }
    draining = undefined;
  }

  function wake(): void {
    draining ??= drain();
  }

  function enqueue(name: string, records: readonly SizedRecord[]): Promise<void> {
    const target = targets.get(name) ?? { name, queue: [], isAlone: false };
    targets.set(name, target);
    if (isRefused(target)) return Promise.reject(unwritable());
    const { waiting, done } = waitFor(records, timeoutMs);
    target.queue.push(waiting);
    queuedBytes += waiting.bytes;
    if (isTogether(target)) wake();
    else if (!target.isAlone) startAlone(target);
    return done;
  }

  function toSized({ topic, key, partition, value, headers = {} }: ProducerRecord): SizedRecord {
    const bytes = value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return {
      topic: kafka.topicName(topic),
      partition: partition ?? lookup.partitionFor(topic, key ?? ""),
      key,
      value: bytes,
      headers,
      size: recordSize(key, bytes, headers),
    };
  }

  return {
    async connect() {
      try {
        await together.connect();
      } catch (error) {
        logger.warn({ err: error }, "broker unavailable, the first send connects again");
      }
    },
    async disconnect() {
      closed = true;
      while (draining !== undefined || alone.size > 0) await Promise.all([draining, ...alone]);
      await together.close();
    },
    partitionFor(topic, key) {
      try {
        return lookup.partitionFor(topic, key);
      } catch (error) {
        // The broker was unavailable when the count was requested: request it again for the next caller.
        void lookup.load([...topics, topic]).catch(() => {});
        throw error;
      }
    },
    async send(records) {
      if (closed) throw unavailable("The producer is closed.");
      if (records.length === 0) return;
      await lookup.load(records.map((record) => record.topic)).catch((error: unknown) => {
        throw unavailable("The message broker is unavailable. Please try again.", 1_000, error);
      });
      if (closed) throw unavailable("The producer is closed.");
      const sized = records.map(toSized);
      if (queuedBytes + bytesOf(sized) > maxQueuedBytes)
        throw unavailable("The queue for the message broker is full. Please try again.");
      const byTarget = Map.groupBy(sized, ({ topic, partition }) => `${topic}/${partition}`);
      const sends = [...byTarget].map(([name, own]) => enqueue(name, own));
      // All of them end, so none is rejected unseen.
      const failed = (await Promise.allSettled(sends)).find((sent) => sent.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}
