import { eventually, freshDatabase, freshPrefix, testServers } from "@asset-register/harness";
import { connectMongo, type Mongo } from "@asset-register/mongo";
import type { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import { createLogger, createMetrics, type Logger, type Metrics } from "@asset-register/runtime";
import { Partitioners } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import {
  type Consumer,
  type ConsumerOptions,
  connectKafka,
  createConsumer,
  createOutbox,
  createOutboxWake,
  createRelay,
  inboxMigration,
  type KafkaConnection,
  type Outbox,
  type OutgoingEvent,
  outboxMigration,
  type Relay,
  type RelayOptions,
  readTopic as readForTool,
  type Topic,
} from "../src/index.ts";
import { createAll } from "../src/topics/create-all.ts";
import { log, SHARDS, state } from "./support-topics.ts";

export const logger: Logger = createLogger({
  service: "test",
  level: process.env.TEST_LOG === "1" ? "info" : "silent",
});

export { log, state };

/** Session time-out of a group member: the minimum that brokers allow by default. */
export const SHORTEST_SESSION_MS = 6_000;

export type World = {
  mongo: Mongo;
  kafka: KafkaConnection;
  prefix: string;
  outbox: Outbox;
  metrics: Metrics;
  /** Settings for startChild. */
  forChild: { mongoUrl: string; database: string; brokers: string[]; prefix: string };
  /** Writes events in one transaction, like an operation. */
  publish(...events: OutgoingEvent<typeof AssetEventSchema>[]): Promise<void>;
  relay(options?: Partial<RelayOptions>): Promise<Relay>;
  consumer(options: Pick<ConsumerOptions, "subscriptions"> & Partial<ConsumerOptions>): Promise<Consumer>;
};

export type Servers = { mongoUrl: string; kafkaBrokers: string[] };

/** Creates a database and topics for one test. Everything that it starts is stopped when the test ends. */
export async function world(
  servers: Servers = testServers(),
  options: { partitions?: number; maxMessageBytes?: number } = {},
): Promise<World> {
  const prefix = freshPrefix();
  const mongo = await connectMongo({ url: servers.mongoUrl, database: freshDatabase(), logger });
  onTestFinished(() => mongo.close());
  await outboxMigration.up(mongo);
  await inboxMigration.up(mongo);
  const kafka = connectKafka({
    brokers: servers.kafkaBrokers,
    clientId: "test",
    topicPrefix: prefix,
    logger,
  });
  await createTestTopics(kafka, options.partitions, options.maxMessageBytes);
  const metrics = createMetrics({ service: "test" });
  const wake = createOutboxWake();
  const outbox = createOutbox(mongo, { shards: SHARDS, wake });
  return {
    ...{ mongo, kafka, prefix, outbox, metrics },
    forChild: { mongoUrl: servers.mongoUrl, database: mongo.database, brokers: servers.kafkaBrokers, prefix },
    publish: (...events) => mongo.transaction({}, (session) => outbox.add(session, ...events)),
    async relay(more = {}) {
      const relay = createRelay({
        mongo,
        kafka,
        service: "test",
        shards: SHARDS,
        topics: [log, state],
        wake,
        logger,
        metrics,
        ...more,
      });
      onTestFinished(() => relay.stop());
      await relay.start();
      return relay;
    },
    async consumer(more) {
      const consumer = createConsumer({ mongo, kafka, group: "group", logger, metrics, ...more });
      onTestFinished(() => consumer.stop());
      await consumer.start();
      return consumer;
    },
  };
}

export async function createTestTopics(
  kafka: KafkaConnection,
  numPartitions = 3,
  maxBytes = 1_048_588,
  topics: readonly { name: string }[] = [log, state],
): Promise<void> {
  const admin = kafka.kafka.admin();
  await admin.connect();
  try {
    await createAll(
      admin,
      topics.map((topic) => ({
        topic: kafka.topicName(topic),
        numPartitions,
        replicationFactor: 1,
        configEntries: [{ name: "max.message.bytes", value: String(maxBytes) }],
      })),
    );
  } finally {
    await admin.disconnect();
  }
}

/** Changes settings of a topic on the broker. They become effective shortly after the answer. */
export async function setTopicConfig(
  kafka: KafkaConnection,
  topic: { name: string },
  settings: Record<string, string>,
): Promise<void> {
  const admin = kafka.kafka.admin();
  await admin.connect();
  try {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
    const resources = [{ type: 2, name: kafka.topicName(topic), configEntries }];
    await admin.alterConfigs({ validateOnly: false, resources });
  } finally {
    await admin.disconnect();
  }
}

/** The event of a record with this sequence. */
export function event(
  topic: Topic<typeof AssetEventSchema>,
  subject: string,
  sequence: number,
): OutgoingEvent<typeof AssetEventSchema> {
  return {
    topic,
    workspaceId: "wsp_1",
    subject,
    sequence,
    type: "thing.changed",
    time: new Date(),
    message: {
      state: { id: subject, name: `${subject} ${sequence}` },
      change: { case: "updated", value: { fields: ["name"] } },
    },
  };
}

/** All records of committed transactions of a topic, in the order of each partition. */
export async function readTopic(kafka: KafkaConnection, topic: { name: string }) {
  const records: {
    key: string;
    value: Buffer | null;
    sequence: number;
    id: string;
    partition: number;
    headers: Record<string, string>;
  }[] = [];
  await readForTool({
    ...{ kafka, topic, fromBeginning: true, toEnd: true },
    onRecord(message, partition) {
      const headers = Object.fromEntries(
        Object.entries(message.headers ?? {}).map(([name, held]) => [name, String(held)]),
      );
      records.push({
        ...{ partition, headers, value: message.value },
        key: String(message.key),
        sequence: Number(headers.ce_sequence),
        id: headers.ce_id ?? "",
      });
    },
  });
  return records;
}

/**
 * Waits until a topic contains these sequences of each key, in this order. A
 * committed transaction becomes visible shortly after the answer.
 */
export async function expectLog(
  kafka: KafkaConnection,
  topic: { name: string },
  expected: Record<string, number[]>,
): Promise<void> {
  await eventually(async () => expect(sequences(await readTopic(kafka, topic))).toEqual(expected));
}

/**
 * As expectLog, in a test that kills a broker or creates a topic meanwhile: a record whose acknowledgement was lost is sent
 * again under the same id, and may then be in the topic twice. Its first place counts, and the newest record of a key is still the last one.
 */
export async function expectLogWithRepeats(
  kafka: KafkaConnection,
  topic: { name: string },
  expected: Record<string, number[]>,
): Promise<void> {
  await eventually(async () => {
    const records = await readTopic(kafka, topic);
    const first = records.filter(({ id }, index) => records.findIndex((other) => other.id === id) === index);
    expect(sequences(first)).toEqual(expected);
    for (const [key, all] of Object.entries(sequences(records)))
      expect(all.at(-1)).toBe(expected[key]?.at(-1));
  });
}

/** The sequences of each key in the order of the topic. */
export function sequences(records: readonly { key: string; sequence: number }[]): Record<string, number[]> {
  const byKey: Record<string, number[]> = {};
  for (const { key, sequence } of records) {
    byKey[key] ??= [];
    byKey[key].push(sequence);
  }
  return byKey;
}

/** Sends one record unchanged, as any other program could. */
export async function produce(
  kafka: KafkaConnection,
  topic: { name: string },
  record: { key: string; value: Buffer | null; headers: Record<string, string> },
): Promise<void> {
  const producer = kafka.kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  await producer.send({ topic: kafka.topicName(topic), messages: [record] });
  await producer.disconnect();
}
