import { setTimeout as sleep } from "node:timers/promises";
import { createOutbox, createOutboxWake, DEFAULT_SHARDS, type OutgoingEvent } from "@asset-register/events";
import { connectMongo } from "@asset-register/mongo";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { topics } from "@asset-register/proto/topics";
import { createNews } from "@asset-register/redis";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import mongoose from "mongoose";
import { feedEntryRecords } from "../../services/notification/src/store/feed/feed-entries.ts";
import type { Prepared, Side, Work } from "./benchmark.ts";
import { type BenchPlatform, registerDatabase } from "./platform.ts";

/** Half of the goal of 2,000. */
const PER_SECOND = 1_000;
const TICK_MS = 50;
const POLL_MS = 5;
const NEWS_MS = 1_000;

type Entry = { _id: string; workspaceId: string; assetId: string; seq: number };
type Entries = mongoose.mongo.Collection<Entry>;

/** Writes the events of these assets, and resolves when they are committed. */
type Write = (assetIds: string[]) => Promise<void>;
/** Reports each asset whose entry has arrived, until all have: `isOver`. */
export type Follow = (arrived: (assetId: string) => void, isOver: () => boolean) => Promise<void>;

/** From the commit of an event in the register to its entry in the feed, which can be read then. */
export async function feedLatency(bench: BenchPlatform): Promise<Prepared> {
  const { mongoUrl, serverPids } = bench;
  const events = await openEvents(bench, newId("wsp"));
  const client = await mongoose.mongo.MongoClient.connect(mongoUrl);
  const bareDatabase = client.db(`bench_feed_${newId("run")}`);
  const bare = bareDatabase.collection<Entry>("entries");
  await bare.createIndexes(feedEntryRecords.indexes.map((index) => ({ ...index })));
  const { workspaceId } = events;
  let seq = 0;
  const insert: Write = async (assetIds) => {
    const rows = assetIds.map((assetId) => {
      seq += 1;
      return { _id: newId("msg"), workspaceId, type: "asset.moved", assetId, seq };
    });
    await bare.insertMany(rows, { writeConcern: { w: "majority", journal: true } });
  };
  return {
    benchmark: {
      name: "feed-latency",
      work: `from the commit of an event in the register to its entry in the feed, 99th percentile, ${PER_SECOND} a second in one workspace; baseline: the driver inserts the same rows and reads them`,
      compared: "p99",
      ours: {
        processes: events.processes,
        run: (milliseconds) => latencies(PER_SECOND, milliseconds, events.write, events.follow),
      },
      baseline: {
        processes: () => ({ client: process.pid, ...serverPids }),
        run: (milliseconds) => latencies(PER_SECOND, milliseconds, insert, followRows(bare, workspaceId)),
      },
    },
    async stop() {
      await bareDatabase.dropDatabase();
      await client.close();
      await events.close();
    },
  };
}

/** Writes events of movements as the register does, and follows their entries in the database. */
export async function openEvents(bench: BenchPlatform, workspaceId: string) {
  const { platform, mongoUrl, serverPids } = bench;
  const { register, notification } = platform.services;
  const logger = createLogger({ service: "bench", level: "error" });
  const mongo = await connectMongo({
    ...{ url: mongoUrl, database: registerDatabase(bench), production: false },
    ...{ logger, metrics: createMetrics({ service: "bench" }) },
  });
  // The relay is in the register's process, as it is for a replica without the role.
  const news = createNews(
    `asset-register:outbox:${mongo.database}`,
    { url: register?.env.REDIS_URL ?? "", timeoutMs: NEWS_MS, logger },
    (error) => logger.error({ err: error }, "the relay was not woken"),
  );
  news.start();
  const outbox = createOutbox(mongo, { shards: DEFAULT_SHARDS, wake: createOutboxWake(news) });
  const client = await mongoose.mongo.MongoClient.connect(mongoUrl);
  const entries = client.db(notification?.env.MONGO_DATABASE ?? "").collection<Entry>("feed_entries");
  const write: Write = async (assetIds) => {
    const events = assetIds.map((assetId) => movementEvent(workspaceId, assetId));
    await mongo.transaction({}, (session) => outbox.add(session, ...events));
  };
  const processes: Side["processes"] = () => ({
    ...{ register: register?.pid() ?? 0, notification: notification?.pid() ?? 0 },
    ...serverPids,
  });
  return {
    ...{ workspaceId, write, processes, follow: followRows(entries, workspaceId) },
    async close() {
      news.stop();
      await client.close();
      await mongo.close();
    },
  };
}

const followRows =
  (entries: Entries, workspaceId: string): Follow =>
  async (arrived, isOver) => {
    const newest = await entries.find({ workspaceId }).sort({ seq: -1 }).limit(1).toArray();
    for (let after = newest[0]?.seq ?? 0; !isOver(); ) {
      const found = await entries
        .find({ workspaceId, seq: { $gt: after } }, { projection: { assetId: 1, seq: 1 } })
        .sort({ seq: 1 })
        .toArray();
      for (const { assetId } of found) arrived(assetId);
      after = found.at(-1)?.seq ?? after;
      await sleep(POLL_MS);
    }
  };

/** The time from the commit of each event to the arrival of its entry. */
export async function latencies(
  perSecond: number,
  milliseconds: number,
  write: Write,
  follow: Follow,
): Promise<Work> {
  const committedAt = new Map<string, number>();
  const arrivedAt = new Map<string, number>();
  const count = Math.ceil((perSecond * milliseconds) / 1000);
  const started = performance.now();
  const following = follow(
    (id) => arrivedAt.set(id, performance.now()),
    () => arrivedAt.size >= count,
  );
  await send(perSecond, count, async (assetIds) => {
    await write(assetIds);
    for (const id of assetIds) committedAt.set(id, performance.now());
  });
  await following;
  const taken = performance.now() - started;
  // An entry may arrive before its writer has the answer.
  const sorted = [...arrivedAt].map(([id, at]) => Math.max(0, at - (committedAt.get(id) ?? at)));
  sorted.sort((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0);
  return { operations: count, milliseconds: taken, p50: at(0.5), p99: at(0.99) };
}

/** Writes new ids at a rate. A write does not wait for those before it. */
async function send(perSecond: number, count: number, write: Write): Promise<void> {
  const started = performance.now();
  const writes: Promise<void>[] = [];
  for (let sent = 0; sent < count; ) {
    const elapsed = performance.now() - started;
    const due = Math.min(count, Math.floor((elapsed * perSecond) / 1000)) - sent;
    if (due > 0) writes.push(write(Array.from({ length: due }, () => newId("ast"))));
    sent += Math.max(0, due);
    await sleep(TICK_MS);
  }
  await Promise.all(writes);
}

function movementEvent(workspaceId: string, assetId: string): OutgoingEvent<typeof topics.movement.schema> {
  const movement = {
    ...{ id: newId("mov"), assetId, fromLocationId: newId("loc"), toLocationId: newId("loc") },
    ...{ reason: "transfer", at: timestampNow(), by: { kind: ActorKind.USER, id: newId("usr") } },
  };
  return {
    ...{ topic: topics.movement, workspaceId, subject: assetId, sequence: 1, type: "asset.moved" },
    ...{ time: new Date(), message: { change: { case: "moved", value: { movement } } } },
  };
}
