import { eventually, privateServer, testServers } from "@asset-register/harness";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeadLetters, createProducer, subscribe } from "../src/index.ts";
import { startChild } from "./child.ts";
import { countOnce, effects } from "./effects.ts";
import { event, log, logger, SHORTEST_SESSION_MS, type World, world } from "./support.ts";

let mongoServer: Awaited<ReturnType<typeof privateServer>>;

beforeAll(async () => {
  mongoServer = await privateServer("mongo");
});

afterAll(() => mongoServer?.stop());

test("after the database was down for longer than all retry limits: every event is processed and none is a dead letter", async () => {
  const { kafkaBrokers } = testServers();
  const own = await world({ mongoUrl: mongoServer.url, kafkaBrokers });
  const { consumer, kafka, mongo, publish, relay } = own;
  await relay();
  const rows = mongo.collection<{ _id: string; workspaceId: string }>("seen");
  await consumer({
    sessionTimeoutMs: SHORTEST_SESSION_MS,
    subscriptions: [countOnce(mongo)],
  });
  await consumer({
    group: "projection",
    sessionTimeoutMs: SHORTEST_SESSION_MS,
    subscriptions: [
      subscribe(log, {
        async handle(events) {
          for (const { workspaceId, subject, sequence } of events) {
            const filter = { workspaceId, _id: `${subject} ${sequence}` };
            await rows.updateOne(filter, { $setOnInsert: { workspaceId } }, { upsert: true });
          }
        },
      }),
    ],
  });
  await publish(event(log, "a", 1));
  await eventually(async () => expect(await effects(mongo)).toEqual({ "a 1": 1 }));
  await mongoServer.kill();
  // Directly to Kafka: the outbox is in the database, which is down.
  const producer = createProducer({ kafka, logger, metrics: own.metrics, topics: [log], timeoutMs: 60_000 });
  for (const sequence of [2, 3, 4, 5]) await producer.send([record(sequence)]);
  await producer.disconnect();
  // A transaction fails after 30 s, kafkajs after 10 attempts: wait for several rounds of both groups.
  const back = Date.now() + 35_000;
  await eventually(
    async () => {
      expect(await retries(own)).toBeGreaterThan(8);
      expect(Date.now()).toBeGreaterThan(back);
    },
    { everyMs: 500 },
  );
  await mongoServer.restart();
  const all = { "a 1": 1, "a 2": 1, "a 3": 1, "a 4": 1, "a 5": 1 };
  await eventually(async () => expect(await effects(mongo)).toEqual(all));
  await eventually(async () => expect(await rows.countDocuments({ workspaceId: "wsp_1" })).toBe(5));
  await publish(event(log, "a", 6));
  await eventually(async () => expect(await effects(mongo)).toEqual({ ...all, "a 6": 1 }));
  expect(await createDeadLetters(kafka).list()).toEqual([]);
}, 600_000);

test("after a consumer was killed during an effect, another one continues and each event has its effect once", async () => {
  const { kafkaBrokers } = testServers();
  // By default the transaction of a killed process locks its rows for 60 s.
  await setTransactionLifetime(mongoServer.url, 5);
  const own = await world({ mongoUrl: mongoServer.url, kafkaBrokers }, { partitions: 1 });
  const { consumer, forChild, mongo, publish, relay } = own;
  await relay();
  const all = [1, 2, 3, 4, 5, 6];
  for (const sequence of all) await publish(event(log, "a", sequence));
  const child = startChild("consumer-child.ts", {
    ...forChild,
    sessionTimeoutMs: SHORTEST_SESSION_MS,
    stopAt: "4",
  });
  await child.printed("at 4");
  await child.killed();
  expect(await effects(mongo)).toEqual({ "a 1": 1, "a 2": 1, "a 3": 1 });
  await consumer({
    sessionTimeoutMs: SHORTEST_SESSION_MS,
    subscriptions: [countOnce(mongo)],
  });
  const once = Object.fromEntries(all.map((sequence) => [`a ${sequence}`, 1]));
  await eventually(async () => expect(await effects(mongo)).toEqual(once));
});

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
