import { eventually, privateServer, testServers } from "@asset-register/harness";
import { AppError } from "@asset-register/runtime";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  connectKafka,
  createDeadLetters,
  createProducer,
  readTopic as readForTool,
  subscribe,
  subscribeOnce,
} from "../src/index.ts";
import { outboxRows } from "../src/outbox.ts";
import { startChild } from "./child.ts";
import { countEffect, effects } from "./effects.ts";
import { event, log, logger, readTopic, sequences, type World, world } from "./support.ts";

/** The least that brokers allow by default. */
const SESSION_MS = 6_000;

type PrivateServer = Awaited<ReturnType<typeof privateServer>>;
let kafkaServer: PrivateServer;
let mongoServer: PrivateServer;

beforeAll(async () => {
  [kafkaServer, mongoServer] = await Promise.all([privateServer("kafka"), privateServer("mongo")]);
}, 180_000);

afterAll(async () => {
  await Promise.all([kafkaServer?.stop(), mongoServer?.stop()]);
});

test("the broker is down for 20 s: nothing is lost and the order of each key is kept", async () => {
  const { mongoUrl } = testServers();
  const { consumer, kafka, mongo, publish, relay } = await world({
    mongoUrl,
    kafkaBrokers: [kafkaServer.url],
  });
  const handled: Record<string, number[]> = {};
  await consumer({
    sessionTimeoutMs: SESSION_MS,
    subscriptions: [
      subscribe(log, {
        async handle(events) {
          for (const { subject, sequence } of events)
            handled[subject] = [...(handled[subject] ?? []), sequence];
        },
      }),
    ],
  });
  await relay();
  const subjects = ["a", "b", "c", "d"];
  const publishAll = (sequence: number) =>
    publish(...subjects.map((subject) => event(log, subject, sequence)));
  await publishAll(1);
  await eventually(() => expect(Object.keys(handled)).toHaveLength(4));
  await kafkaServer.kill();
  const back = Date.now() + 20_000;
  let sequence = 1;
  await eventually(
    async () => {
      sequence += 1;
      await publishAll(sequence);
      expect(Date.now()).toBeGreaterThan(back);
    },
    { timeoutMs: 30_000, everyMs: 500 },
  );
  await kafkaServer.restart();
  await publishAll(sequence + 1);
  const all = Array.from({ length: sequence + 1 }, (_, index) => index + 1);
  await eventually(async () => expect(await outboxRows(mongo).countDocuments()).toBe(0), {
    timeoutMs: 60_000,
  });
  await eventually(
    () => {
      for (const subject of subjects) expect([...new Set(handled[subject])]).toEqual(all);
    },
    { timeoutMs: 60_000 },
  );
  await eventually(async () => {
    const kept = sequences(await readTopic(kafka, log));
    // A batch whose acknowledgement was lost is there twice; without the repeats the order is whole.
    for (const subject of subjects) expect([...new Set(kept[`wsp_1:${subject}`])]).toEqual(all);
    for (const subject of subjects) expect(kept[`wsp_1:${subject}`]?.at(-1)).toBe(sequence + 1);
  });
  expect(await createDeadLetters(kafka).list()).toEqual([]);
}, 180_000);

test("a send that the broker does not acknowledge in time is unavailable; the producer goes on when it is back", async () => {
  const { mongoUrl } = testServers();
  const { kafka, metrics } = await world({ mongoUrl, kafkaBrokers: [kafkaServer.url] });
  const producer = createProducer({ kafka, logger, metrics, topics: [log], timeoutMs: 1_000 });
  await producer.connect();
  const send = (value: string) => producer.send([{ topic: log, key: "k", value: Buffer.from(value) }]);
  await send("before");
  await kafkaServer.pause();
  // On a loaded machine some of the broker's threads run for a moment after the signal.
  await eventually(() => expect(send("until it is frozen")).rejects.toThrow(AppError));
  const outcomes = await Promise.allSettled([send("one"), send("two"), send("three")]);
  await kafkaServer.resume();
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  await eventually(() => send("after"), { timeoutMs: 60_000 });
  await producer.disconnect();
  const values = (await readTopic(kafka, log)).map(({ value }) => String(value));
  expect(values[0]).toBe("before");
  expect(values.at(-1)).toBe("after");
}, 120_000);

test("a tool that reads a topic goes on when the broker is back: each record once, none missed", async () => {
  const { mongoUrl } = testServers();
  const { kafka, metrics, prefix } = await world({ mongoUrl, kafkaBrokers: [kafkaServer.url] });
  const producer = createProducer({ kafka, logger, metrics, topics: [log] });
  const send = (value: string) => producer.send([{ topic: log, key: "k", value: Buffer.from(value) }]);
  await eventually(() => send("before"), { timeoutMs: 60_000 });
  const brokers = [kafkaServer.url];
  const own = connectKafka({ brokers, clientId: "tool", topicPrefix: prefix, logger });
  // A client that loses patience at once crashes where a usual one does after a minute.
  const hasty = { requestTimeout: 500, retry: { initialRetryTime: 100, retries: 1 } };
  const seen: string[] = [];
  const stop = new AbortController();
  const reading = readForTool({
    kafka: { ...own, kafka: own.client(hasty) },
    ...{ topic: log, fromBeginning: true, toEnd: false, signal: stop.signal },
    onRecord: ({ value }) => void seen.push(String(value)),
  });
  reading.catch(() => {});
  await eventually(() => expect(seen).toEqual(["before"]));
  await kafkaServer.pause();
  const frozen = Date.now();
  await eventually(() => expect(Date.now() - frozen).toBeGreaterThan(4_000));
  await kafkaServer.resume();
  await eventually(() => send("after"), { timeoutMs: 60_000 });
  await producer.disconnect();
  await Promise.race([reading, eventually(() => expect(seen.at(-1)).toBe("after"), { timeoutMs: 60_000 })]);
  expect(seen.filter((value) => value === "before")).toHaveLength(1);
  stop.abort();
  await reading;
}, 180_000);

test("the database is stopped for longer than every retry budget: no dead letter, and all is processed after", async () => {
  const { kafkaBrokers } = testServers();
  const own = await world({ mongoUrl: mongoServer.url, kafkaBrokers });
  const { consumer, kafka, mongo, publish, relay } = own;
  await relay();
  const rows = mongo.collection<{ _id: string; workspace_id: string }>("seen");
  await consumer({
    sessionTimeoutMs: SESSION_MS,
    subscriptions: [
      subscribeOnce(log, { handle: (incoming, session) => countEffect(mongo, incoming, session) }),
    ],
  });
  await consumer({
    group: "projection",
    sessionTimeoutMs: SESSION_MS,
    subscriptions: [
      subscribe(log, {
        async handle(events) {
          for (const { workspaceId, subject, sequence } of events) {
            const filter = { workspace_id: workspaceId, _id: `${subject} ${sequence}` };
            await rows.updateOne(filter, { $setOnInsert: { workspace_id: workspaceId } }, { upsert: true });
          }
        },
      }),
    ],
  });
  await publish(event(log, "a", 1));
  await eventually(async () => expect(await effects(mongo)).toEqual({ "a 1": 1 }));
  await mongoServer.kill();
  // Through Kafka itself: the outbox is as far away as the rest of the database.
  const producer = createProducer({ kafka, logger, metrics: own.metrics, topics: [log] });
  for (const sequence of [2, 3, 4, 5]) await producer.send([record(sequence)]);
  await producer.disconnect();
  // A transaction gives up after 30 s, kafkajs after 10 tries: wait for several rounds of both groups.
  const began = Date.now();
  await eventually(
    async () => {
      expect(await retries(own)).toBeGreaterThan(8);
      expect(Date.now() - began).toBeGreaterThan(35_000);
    },
    { timeoutMs: 120_000, everyMs: 500 },
  );
  await mongoServer.restart();
  const all = { "a 1": 1, "a 2": 1, "a 3": 1, "a 4": 1, "a 5": 1 };
  await eventually(async () => expect(await effects(mongo)).toEqual(all), { timeoutMs: 60_000 });
  await eventually(async () => expect(await rows.countDocuments({ workspace_id: "wsp_1" })).toBe(5), {
    timeoutMs: 60_000,
  });
  await publish(event(log, "a", 6));
  await eventually(async () => expect(await effects(mongo)).toEqual({ ...all, "a 6": 1 }), {
    timeoutMs: 60_000,
  });
  expect(await createDeadLetters(kafka).list()).toEqual([]);
}, 300_000);

test("a consumer killed in the middle of an effect: another one goes on and each event has its effect once", async () => {
  const { kafkaBrokers } = testServers();
  // The transaction of a process that is gone holds its rows for 60 s by default.
  await setTransactionLifetime(mongoServer.url, 5);
  const own = await world({ mongoUrl: mongoServer.url, kafkaBrokers }, { partitions: 1 });
  const { consumer, forChild, mongo, publish, relay } = own;
  await relay();
  const all = [1, 2, 3, 4, 5, 6];
  for (const sequence of all) await publish(event(log, "a", sequence));
  const child = startChild("consumer-child.ts", { ...forChild, sessionTimeoutMs: SESSION_MS, stopAt: "4" });
  await child.printed("at 4");
  await child.killed();
  expect(await effects(mongo)).toEqual({ "a 1": 1, "a 2": 1, "a 3": 1 });
  await consumer({
    sessionTimeoutMs: SESSION_MS,
    subscriptions: [
      subscribeOnce(log, { handle: (incoming, session) => countEffect(mongo, incoming, session) }),
    ],
  });
  const once = Object.fromEntries(all.map((sequence) => [`a ${sequence}`, 1]));
  await eventually(async () => expect(await effects(mongo)).toEqual(once), { timeoutMs: 60_000 });
}, 180_000);

function record(sequence: number) {
  const headers = {
    ...{ ce_id: `direct-${sequence}`, ce_workspaceid: "wsp_1", ce_subject: "a" },
    ce_sequence: String(sequence),
  };
  return { topic: log, key: "wsp_1:a", value: Buffer.alloc(0), headers };
}

async function retries({ metrics }: World): Promise<number> {
  const metric = await metrics.registry.getSingleMetric("consumer_retries_total")?.get();
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

async function setTransactionLifetime(url: string, seconds: number): Promise<void> {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  await client.db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds });
  await client.close();
}
