import { setTimeout as sleep } from "node:timers/promises";
import { connectKafka, createProducer, encodeHeaders, type ProducerRecord } from "@asset-register/events";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import mongoose from "mongoose";
import { bareEntries } from "./bare-entries.ts";
import type { Prepared, Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";

const MIN_EVENTS = 10_000;
const PER_SEND = 500;
const POLL_MS = 10;

/** Events of movements of one workspace, until each is an entry of its feed. */
export const feed = (bench: BenchPlatform): Promise<Prepared> => entries(bench, "feed", 1);

/** The same of 100 workspaces. */
export const feedOfMany = (bench: BenchPlatform): Promise<Prepared> => entries(bench, "feed-100", 100);

async function entries(bench: BenchPlatform, name: string, workspaces: number): Promise<Prepared> {
  const { kafkaBrokers: brokers, topicPrefix, platform, mongoUrl, serverPids } = bench;
  const logger = createLogger({ service: "bench", level: "error" });
  const kafka = connectKafka({ brokers, topicPrefix, clientId: "bench", logger });
  const metrics = createMetrics({ service: "bench" });
  const producer = createProducer({ kafka, logger, metrics, topics: [topics.movement], timeoutMs: 60_000 });
  await producer.connect();
  const service = platform.services.notification;
  const client = await mongoose.mongo.MongoClient.connect(mongoUrl);
  const heads = client.db(service?.env.MONGO_DATABASE ?? "").collection<Head>("feed_heads");
  const ids = Array.from({ length: workspaces }, () => newId("wsp"));
  const stored = async (): Promise<number> => {
    const found = await heads.find({ _id: { $in: ids } }).toArray();
    return found.reduce((sum, { seq }) => sum + seq, 0);
  };
  const bare = await bareEntries(bench, PER_SEND);
  let perMillisecond = 3;
  let records: ProducerRecord[] = [];
  const ours: Side = {
    processes: () => ({ client: process.pid, notification: service?.pid() ?? 0, ...serverPids }),
    prepare(milliseconds) {
      const count = Math.ceil(Math.max(MIN_EVENTS, perMillisecond * milliseconds));
      records = Array.from({ length: count }, (_, n) => movementRecord(ids[n % workspaces] ?? ""));
    },
    async run() {
      const before = await stored();
      const started = performance.now();
      for (let from = 0; from < records.length; from += PER_SEND) {
        await producer.send(records.slice(from, from + PER_SEND));
      }
      while ((await stored()) < before + records.length) await sleep(POLL_MS);
      const milliseconds = performance.now() - started;
      perMillisecond = records.length / milliseconds;
      return { operations: records.length, milliseconds };
    },
  };
  return {
    benchmark: {
      ...{ name, ours, baseline: bare.side },
      work: `events of movements of ${workspaces} workspaces from Kafka, until each is an entry of the feed (at least 2,000/s); baseline: the driver, one transaction after the other with one $inc and ${PER_SEND} of the same documents`,
    },
    async stop() {
      await bare.stop();
      await client.close();
      await producer.disconnect();
    },
  };
}

type Head = { _id: string; seq: number };

function movementRecord(workspaceId: string): ProducerRecord {
  const { topic, assetId } = { topic: topics.movement, assetId: newId("ast") };
  const movement = {
    ...{ id: newId("mov"), assetId, fromLocationId: newId("loc"), toLocationId: newId("loc") },
    ...{ reason: "transfer", at: timestampNow(), by: { kind: ActorKind.USER, id: newId("usr") } },
  };
  const change = { case: "moved" as const, value: { movement } };
  return {
    ...{ topic, key: `${workspaceId}:${assetId}` },
    value: toBinary(topic.schema, create(topic.schema, { change })),
    headers: encodeHeaders({
      ...{ id: newId("msg"), type: "asset.moved", source: "/bench", workspaceId, sequence: 1, epoch: 0 },
      ...{ subject: assetId, time: new Date(), schema: topic.schema.typeName },
    }),
  };
}
