import { randomBytes } from "node:crypto";
import { CompressionTypes, Kafka, logLevel, type Message } from "kafkajs";
import type { Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";
import type { Read } from "./readers.ts";

/** The same number as the topic of reader events has. */
const PARTITIONS = 12;

/** The headers of a reader event's record. Without them the baseline would do less work. */
const HEADERS = {
  ce_specversion: "1.0",
  ce_type: "com.assetregister.reader-event.accepted",
  ce_source: "tagging-ingest",
  ce_dataschema: "/assetregister.events.v1.ReaderEvents",
  "content-type": "application/protobuf",
};

/** The size of a ReaderEvent with ids of the usual length. */
const EVENT_BYTES = 160;

type Options = { perSend: number; read: () => Read };

/**
 * The minimum cost of a service that publishes each event as one record: only kafkajs, idempotent, acks=all. One send
 * is in flight, which keeps the records in order. The records are made before the clock starts. Events, headers and
 * partitions are the same as in our service.
 */
export async function bareKafka(
  { kafkaBrokers, topicPrefix, demo, serverPids }: BenchPlatform,
  { perSend, read }: Options,
): Promise<{ side: Side; stop(): Promise<void> }> {
  const kafka = new Kafka({ brokers: kafkaBrokers, logLevel: logLevel.ERROR });
  const topic = `${topicPrefix}baseline`;
  await createTopic(kafka, topic);
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();

  // Random values are enough, because Kafka does not read them. They have the length of an event.
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
      processes: () => ({ client: process.pid, ...serverPids }),
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

export async function createTopic(kafka: Kafka, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = [{ topic, numPartitions: PARTITIONS, replicationFactor: 1 }];
    await admin.createTopics({ waitForLeaders: true, topics });
  } finally {
    await admin.disconnect();
  }
}
