import { setImmediate } from "node:timers/promises";
import { type Logger, type Metrics, unavailable } from "@asset-register/runtime";
import { type Producer as KafkaProducer, Partitioners } from "kafkajs";
import type { KafkaConnection } from "./connect.ts";
import { createPartitionLookup } from "./partitions.ts";
import { recordSize, splitBySize } from "./record-size.ts";
import { type OutRecord, sendRecords } from "./send-records.ts";

/** A record to send; without a partition its key decides. */
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
  /** What it sends to; their partition counts are asked in `connect`. */
  topics: readonly { name: string }[];
  /** After this `send` gives up. */
  timeoutMs?: number;
  /** What waits at most; beyond it `send` refuses at once. */
  maxQueuedBytes?: number;
};

export type Producer = {
  /** Makes the first send quick. With the broker away it only says so. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /**
   * Resolves when the broker has every record with acks=all. Rejects with
   * AppError unavailable when it can't be said that all are there: some may be,
   * so the receiver must bear a repeat.
   */
  send(records: readonly ProducerRecord[]): Promise<void>;
  /** The partition that every default partitioner picks for this key. Throws unavailable before the count is known. */
  partitionFor(topic: { name: string }, key: string | Buffer): number;
};

type Sized = OutRecord & { size: number };
type Waiting = { records: Sized[]; bytes: number; settled: boolean; settle(error?: unknown): void };

/** Of one round: bounds what a failed send makes wait again. */
const MAX_ROUND_BYTES = 8 * 1024 * 1024;

/**
 * One accumulator and one send in flight: what arrives during a send leaves
 * together in the next one. After any error the kafkajs producer is replaced,
 * since its retries can reuse a sequence number when sends overlap.
 */
export function createProducer(options: ProducerOptions): Producer {
  const { kafka, logger, metrics, topics, timeoutMs = 5_000, maxQueuedBytes = 64 * 1024 * 1024 } = options;
  const lookup = createPartitionLookup(kafka);
  // Retries within a send must end: a send that outlives its callers only keeps later ones waiting.
  const client = kafka.client({
    requestTimeout: timeoutMs,
    connectionTimeout: Math.min(timeoutMs, 3_000),
    retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 4 },
  });
  const figures = {
    sends: metrics.counter({
      name: "producer_sends_total",
      help: "Sends to the broker by outcome",
      labelNames: ["outcome"],
    }),
    records: metrics.counter({ name: "producer_records_total", help: "Records acknowledged by the broker" }),
    duration: metrics.histogram({ name: "producer_send_duration_seconds", help: "One send, acks=all" }),
  };
  const queue: Waiting[] = [];
  let queuedBytes = 0;
  let sending: Promise<void> | undefined;
  let connected: KafkaProducer | undefined;
  let closed = false;

  async function producer(): Promise<KafkaProducer> {
    await lookup.load(topics);
    if (connected !== undefined) return connected;
    const made = client.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 4 },
    });
    try {
      await made.connect();
    } catch (error) {
      // Connected, and refused a producer's id: each new try would leave a connection behind.
      await made.disconnect().catch(() => {});
      throw error;
    }
    connected = made;
    return made;
  }

  function nextRound(): Waiting[] {
    const round: Waiting[] = [];
    let bytes = 0;
    while (queue[0] !== undefined && (round.length === 0 || bytes + queue[0].bytes <= MAX_ROUND_BYTES)) {
      const [next] = queue.splice(0, 1);
      if (next === undefined) break;
      queuedBytes -= next.bytes;
      // Nobody waits for it any more: its sender has been told to repeat it.
      if (next.settled) continue;
      round.push(next);
      bytes += next.bytes;
    }
    return round;
  }

  async function sendRound(round: Waiting[]): Promise<void> {
    const end = figures.duration.startTimer();
    try {
      const through = await producer();
      const records = round.flatMap((waiting) => waiting.records);
      for (const part of splitBySize(records)) await sendRecords(through, part, timeoutMs);
      figures.sends.inc({ outcome: "acknowledged" });
      figures.records.inc(records.length);
      for (const waiting of round) waiting.settle();
    } catch (error) {
      figures.sends.inc({ outcome: "failed" });
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
    // What other callers add in this turn of the event loop leaves with the first send.
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
        logger.warn({ err: error }, "the broker is away, the first send tries again");
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
        // The broker was away when it was asked: the next caller may have the answer.
        void lookup.load([...topics, topic]).catch(() => {});
        throw error;
      }
    },
    async send(records) {
      if (closed) throw unavailable("The producer is closed.");
      if (records.length === 0) return;
      await lookup.load(records.map((record) => record.topic)).catch((error: unknown) => {
        throw unavailable("The broker does not answer.", 1_000, error);
      });
      if (closed) throw unavailable("The producer is closed.");
      const sized = records.map(toSized);
      const bytes = sized.reduce((sum, record) => sum + record.size, 0);
      if (queuedBytes + bytes > maxQueuedBytes) throw unavailable("Too much waits for the broker.");
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
            else reject(unavailable("The broker did not acknowledge in time.", 1_000, error));
          },
        };
        queue.push(waiting);
        queuedBytes += bytes;
        sending ??= drain();
      });
    },
  };
}
