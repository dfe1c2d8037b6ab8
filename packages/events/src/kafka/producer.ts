import { setImmediate } from "node:timers/promises";
import { type Logger, type Metrics, unavailable } from "@asset-register/runtime";
import { type Producer as KafkaProducer, Partitioners } from "kafkajs";
import type { KafkaConnection } from "./connect.ts";
import { createPartitionLookup } from "./partitions.ts";
import { recordSize, splitBySize } from "./record-size.ts";
import { type OutRecord, sendRecords } from "./send-records.ts";

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

type Sized = OutRecord & { size: number };
type Waiting = { records: Sized[]; bytes: number; settled: boolean; settle(error?: unknown): void };

/** Size limit of one round. It limits how much is repeated after a failed send. */
const MAX_ROUND_BYTES = 8 * 1024 * 1024;

/**
 * Creates a producer with one queue and one send at a time. Records that arrive
 * during a send leave together in the next one. After any error the kafkajs
 * producer is replaced, because its retries can reuse a sequence number when
 * sends overlap.
 */
export function createProducer(options: ProducerOptions): Producer {
  const { kafka, logger, topics, timeoutMs = 5_000, maxQueuedBytes = 64 * 1024 * 1024 } = options;
  const lookup = createPartitionLookup(kafka);
  // Retries within a send are limited: a send that continues after its callers gave up only delays the next ones.
  const client = kafka.client({
    requestTimeout: timeoutMs,
    connectionTimeout: Math.min(timeoutMs, 3_000),
    retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 4 },
  });
  const metrics = {
    sends: options.metrics.counter({
      name: "producer_sends_total",
      help: "Sends to the broker by outcome",
      labelNames: ["outcome"],
    }),
    records: options.metrics.counter({
      name: "producer_records_total",
      help: "Records acknowledged by the broker",
    }),
    duration: options.metrics.histogram({
      name: "producer_send_duration_seconds",
      help: "Duration of one send with acks=all",
    }),
  };
  const queue: Waiting[] = [];
  let queuedBytes = 0;
  let sending: Promise<void> | undefined;
  let connected: KafkaProducer | undefined;
  let closed = false;

  async function producer(): Promise<KafkaProducer> {
    await lookup.load(topics);
    if (connected !== undefined) return connected;
    const created = client.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 4 },
    });
    try {
      await created.connect();
    } catch (error) {
      // The broker may accept the connection and refuse a producer id: each retry would then leak a connection.
      await created.disconnect().catch(() => {});
      throw error;
    }
    connected = created;
    return created;
  }

  function nextRound(): Waiting[] {
    const round: Waiting[] = [];
    let bytes = 0;
    while (queue[0] !== undefined && (round.length === 0 || bytes + queue[0].bytes <= MAX_ROUND_BYTES)) {
      const [next] = queue.splice(0, 1);
      if (next === undefined) break;
      queuedBytes -= next.bytes;
      // Timed out: its sender already got an error and repeats it.
      if (next.settled) continue;
      round.push(next);
      bytes += next.bytes;
    }
    return round;
  }

  async function sendRound(round: Waiting[]): Promise<void> {
    const end = metrics.duration.startTimer();
    try {
      const through = await producer();
      const records = round.flatMap((waiting) => waiting.records);
      for (const part of splitBySize(records)) await sendRecords(through, part, timeoutMs);
      metrics.sends.inc({ outcome: "acknowledged" });
      metrics.records.inc(records.length);
      for (const waiting of round) waiting.settle();
    } catch (error) {
      metrics.sends.inc({ outcome: "failed" });
      logger.warn({ err: error, sends: round.length }, "records not acknowledged");
      const failed = connected;
      connected = undefined;
      await failed?.disconnect().catch(() => {});
      for (const waiting of round) waiting.settle(error);
    } finally {
      end();
    }
  }

  async function drain(): Promise<void> {
    // Records that other callers add in this turn of the event loop leave with the first send.
    await setImmediate();
    for (let round = nextRound(); round.length > 0; round = nextRound()) await sendRound(round);
    sending = undefined;
  }

  function toSized({ topic, key, partition, value, headers = {} }: ProducerRecord): Sized {
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
        await producer();
      } catch (error) {
        logger.warn({ err: error }, "broker unavailable, the first send connects again");
      }
    },
    async disconnect() {
      closed = true;
      await sending;
      await connected?.disconnect();
      connected = undefined;
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
      const bytes = sized.reduce((sum, record) => sum + record.size, 0);
      if (queuedBytes + bytes > maxQueuedBytes)
        throw unavailable("The queue for the message broker is full. Please try again.");
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => waiting.settle(new Error("time-out")), timeoutMs);
        const waiting: Waiting = {
          records: sized,
          bytes,
          settled: false,
          settle(error) {
            if (waiting.settled) return;
            waiting.settled = true;
            clearTimeout(timer);
            if (error === undefined) resolve();
            else
              reject(
                unavailable(
                  "The message broker did not acknowledge in time. Please try again.",
                  1_000,
                  error,
                ),
              );
          },
        };
        queue.push(waiting);
        queuedBytes += bytes;
        sending ??= drain();
      });
    },
  };
}
