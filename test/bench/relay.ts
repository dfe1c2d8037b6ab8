import { setTimeout as sleep } from "node:timers/promises";
import {
  connectKafka,
  createOutbox,
  createRelay,
  createTopics,
  DEFAULT_SHARDS,
  encodeHeaders,
  type OutgoingEvent,
} from "@asset-register/events";
import { connectMongo, migrate } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { CompressionTypes, type TopicMessages } from "kafkajs";
import type { Prepared, Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";

const SHARDS = Number(process.env.RELAY_SHARDS ?? DEFAULT_SHARDS);
/** Rows of a transaction that prepares the backlog. */
const ROWS_IN_INSERT = 600;
const MIN_BACKLOG = 6_000;
const PER_SEND = 100;
const POLL_MS = 10;

/** The events of one move of an asset: its state, the movement, and an entry of the audit log. */
export function eventsOfMove(workspaceId: string): OutgoingEvent[] {
  const now = new Date();
  const at = timestampFromDate(now);
  const by = { kind: 1, id: newId("usr") };
  const [assetId, entryId] = [newId("ast"), newId("aud")];
  const state = {
    ...{ id: assetId, number: "AST-000042", name: "Forklift, electric, 2.5 t", createdAt: at, updatedAt: at },
    ...{
      locationId: newId("loc"),
      custodianId: newId("cus"),
      categoryId: newId("cat"),
      statusId: newId("sta"),
    },
    ...{
      description: "For pallets; yearly inspection.",
      serialNumber: "SN-2026-000042",
      manufacturer: "Linde",
      model: "E25",
      rev: 7,
    },
  };
  const movement = {
    ...{ id: newId("mov"), assetId, fromLocationId: newId("loc"), toLocationId: state.locationId },
    ...{ toCustodianId: state.custodianId, reason: "transfer", at, by },
  };
  const entry = {
    ...{ id: entryId, action: "asset.moved", subjectId: assetId, requestId: newId("req"), at, actor: by },
    changes: [{ field: "location_id", before: movement.fromLocationId, after: movement.toLocationId }],
  };
  const common = { workspaceId, time: now };
  return [
    {
      ...{ ...common, topic: topics.asset, subject: assetId, sequence: 7, type: "asset.updated" },
      message: { state, change: { case: "updated", value: { fields: ["location_id"] } } },
    },
    {
      ...{ ...common, topic: topics.movement, subject: assetId, sequence: 3, type: "asset.moved" },
      message: { change: { case: "moved", value: { movement } } },
    },
    {
      ...{ ...common, topic: topics.audit, subject: entryId, sequence: 1, type: "audit.recorded" },
      message: { change: { case: "recorded", value: { entry } } },
    },
  ] as OutgoingEvent[];
}

/** A backlog of events of moves, until each is in Kafka and out of the outbox. The relay runs in this process. */
export async function relay(bench: BenchPlatform): Promise<Prepared> {
  const logger = createLogger({ service: "bench", level: "error" });
  const kafka = connectKafka({
    ...{ brokers: bench.kafkaBrokers, clientId: "bench-relay", logger },
    topicPrefix: `${bench.topicPrefix}relay.`,
  });
  const published = [topics.asset, topics.movement, topics.audit];
  const admin = kafka.kafka.admin();
  await admin.connect();
  await createTopics(admin, published, { prefix: kafka.prefix });
  await admin.disconnect();
  const mongo = await connectMongo({
    ...{ url: bench.mongoUrl, database: "bench_relay", production: false, logger },
    metrics: createMetrics({ service: "bench" }),
  });
  const outbox = createOutbox(mongo, { shards: SHARDS });
  await migrate(mongo, [outbox.migration], logger);
  let perMillisecond = 2;
  let count = 0;

  async function prepare(milliseconds: number): Promise<void> {
    count = 0;
    const wanted = Math.max(MIN_BACKLOG, perMillisecond * milliseconds);
    while (count < wanted) {
      const events = Array.from({ length: ROWS_IN_INSERT / 3 }, () => eventsOfMove(bench.demo.workspace_id));
      await mongo.transaction({}, (session) => outbox.add(session, ...events.flat()));
      count += ROWS_IN_INSERT;
    }
  }

  async function run() {
    let started: number | undefined;
    let sent = 0;
    const running = createRelay({
      ...{ mongo, kafka, service: "bench", shards: SHARDS, logger, topics: published, production: false },
      metrics: createMetrics({ service: "bench" }),
      stages: {
        async read() {
          started ??= performance.now();
        },
        async sent(rows) {
          sent += rows.length;
        },
      },
    });
    await running.start();
    while (sent < count) await sleep(POLL_MS);
    // Also waits until the last rows are removed.
    await running.stop();
    const milliseconds = performance.now() - (started ?? 0);
    perMillisecond = count / milliseconds;
    return { operations: count, milliseconds };
  }

  const bare = await bareSends(bench, kafka);
  return {
    benchmark: {
      name: "relay",
      work: `events of moves (asset, movement, audit entry) from the outbox to Kafka, ${SHARDS} shards, from a backlog; baseline: kafkajs, idempotent, acks=all, ${PER_SEND} of the same records a send, one send in flight`,
      goal: 0.25,
      ours: { processes: () => ({ service: process.pid, ...bench.serverPids }), prepare, run },
      baseline: bare.side,
    },
    async stop() {
      await bare.stop();
      await mongo.close();
    },
  };
}

/** The same records, made before the clock starts. */
async function bareSends(
  { serverPids, demo }: BenchPlatform,
  kafka: ReturnType<typeof connectKafka>,
): Promise<{ side: Side; stop(): Promise<void> }> {
  const producer = kafka.kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const message = ({ topic, subject, sequence, type, time, message, workspaceId }: OutgoingEvent) => ({
    topic: kafka.topicName(topic),
    message: {
      key: `${workspaceId}:${subject}`,
      value: Buffer.from(toBinary(topic.schema, create(topic.schema, message))),
      headers: encodeHeaders({
        ...{ id: newId("msg"), type, source: "/bench", workspaceId, subject, time, sequence, epoch: 0 },
        schema: topic.schema.typeName,
      }),
    },
  });
  const send = (): TopicMessages[] => {
    const events = Array.from({ length: Math.ceil(PER_SEND / 3) }, () => eventsOfMove(demo.workspace_id));
    const messages = events.flat().slice(0, PER_SEND).map(message);
    return [...Map.groupBy(messages, ({ topic }) => topic)].map(([topic, own]) => ({
      topic,
      messages: own.map((each) => each.message),
    }));
  };
  let ready: TopicMessages[][] = [];
  let perMillisecond = 0.2;
  return {
    side: {
      processes: () => ({ client: process.pid, ...serverPids }),
      prepare(milliseconds) {
        ready = Array.from({ length: Math.ceil(perMillisecond * milliseconds * 1.5) }, send);
      },
      async run(milliseconds) {
        const started = performance.now();
        let sends = 0;
        while (performance.now() - started < milliseconds) {
          const topicMessages = ready.pop() ?? send();
          await producer.sendBatch({ topicMessages, acks: -1, compression: CompressionTypes.None });
          sends += 1;
        }
        const taken = performance.now() - started;
        perMillisecond = Math.max(perMillisecond, sends / taken);
        ready = [];
        return { operations: sends * PER_SEND, milliseconds: taken };
      },
    },
    stop: () => producer.disconnect(),
  };
}
