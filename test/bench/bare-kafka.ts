import { randomBytes } from "node:crypto";
import { CompressionTypes, Kafka, logLevel, type Message } from "kafkajs";
import type { Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";
import type { Read } from "./readers.ts";

/** As many as the topic of the reads has. */
const PARTITIONS = 12;

/** Those of a reader event's record: a record without them is not the same work. */
const HEADERS = {
  ce_specversion: "1.0",
  ce_type: "com.assetregister.reader-event.accepted",
  ce_source: "tagging-ingest",
  ce_dataschema: "/assetregister.events.v1.ReaderEvents",
  "content-type": "application/protobuf",
};

/** Of one ReaderEvent with ids of their usual length. */
const EVENT_BYTES = 160;

type Options = { perSend: number; read: () => Read };

/**
 * What a service that publishes each event as a record of its own costs at
 * least: kafkajs alone, idempotent, acks=all, one send in flight (which is what
 * keeps its records in order), the records ready before the clock starts. Same
 * events, same headers, same partitions.
 */
export async function bareKafka(
  { kafkaBrokers, topicPrefix, demo }: BenchPlatform,
  { perSend, read }: Options,
): Promise<{ side: Side; stop(): Promise<void> }> {
  const kafka = new Kafka({ brokers: kafkaBrokers, logLevel: logLevel.ERROR });
  const topic = `${topicPrefix}baseline`;
  await createTopic(kafka, topic);
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();

  // Kafka does not look into values: theirs are as long as an event is.
  const record = (): Message => ({
    key: `${demo.workspace_id}:${read().epc}`,
    value: randomBytes(EVENT_BYTES),
    headers: HEADERS,
  });
  const records = (): Message[] => Array.from({ length: perSend }, record);
  let ready: Message[][] = [];
  let perMillisecond = 0.2;
  return {
    side: {
      processes: () => ({ client: process.pid }),
      prepare(milliseconds) {
        ready = Array.from({ length: Math.ceil(perMillisecond * milliseconds * 1.5) }, records);
      },
      async run(milliseconds) {
        const started = performance.now();
        let sends = 0;
        while (performance.now() - started < milliseconds) {
          const messages = ready.pop() ?? records();
          await producer.send({ topic, messages, acks: -1, compression: CompressionTypes.None });
          sends += 1;
        }
        const taken = performance.now() - started;
        perMillisecond = Math.max(perMillisecond, sends / taken);
        ready = [];
        return { operations: sends * perSend, milliseconds: taken };
      },
    },
    stop: () => producer.disconnect(),
  };
}

async function createTopic(kafka: Kafka, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = [{ topic, numPartitions: PARTITIONS, replicationFactor: 1 }];
    await admin.createTopics({ waitForLeaders: true, topics });
  } finally {
    await admin.disconnect();
  }
}
