import { mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { Kafka, logLevel } from "kafkajs";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type RunningServers, startServer, startServers } from "./servers.ts";

const WAIT = { timeout: 120_000 };

const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), "servers-")));
let sets: RunningServers[] = [];

beforeAll(async () => {
  sets = await Promise.all(
    folders.map((dataDirectory) => startServers({ dataDirectory, progress: () => {}, source: "private" })),
  );
});

afterAll(async () => {
  for (const set of sets) await set.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test("two sets of servers started in parallel are six independent servers", async () => {
  const urls = sets.flatMap((set) => [set.mongo.url, set.kafka.url, set.redis.url]);
  expect(new Set(urls).size).toBe(6);
  await Promise.all(sets.map((set, index) => withRedis(set.redis.url, (redis) => redis.set("set", index))));
  expect(await withRedis(sets[0]!.redis.url, (redis) => redis.get("set"))).toBe("0");
  expect(await withRedis(sets[1]!.redis.url, (redis) => redis.get("set"))).toBe("1");
});

test("after SIGKILL MongoDB restarts on the same port with the committed documents", async () => {
  const { mongo } = sets[0]!;
  await withMongo(mongo.url, (client) =>
    client.withSession((session) =>
      session.withTransaction(() =>
        client.db("it").collection("kept").insertOne({ kept: true }, { session }),
      ),
    ),
  );
  await mongo.kill();
  const ping = (client: mongoose.mongo.MongoClient) => client.db("it").command({ ping: 1 });
  await expect(withMongo(mongo.url, ping, 2_000)).rejects.toThrow();
  await mongo.restart();
  expect(await withMongo(mongo.url, (client) => client.db("it").collection("kept").countDocuments())).toBe(1);
});

test("after SIGKILL Kafka restarts on the same port with its topics and records", async () => {
  const { kafka } = sets[0]!;
  // kafkajs fails at the first metadata response that lacks a topic or its leader. A busy broker sends such responses.
  await withAdmin(kafka.url, async (admin) => {
    await admin.createTopics({ topics: [{ topic: "kept" }], waitForLeaders: false });
    await vi.waitFor(() => admin.fetchTopicOffsets("kept"), WAIT);
  });
  const producer = client(kafka.url).producer();
  await producer.connect();
  await producer.send({ topic: "kept", acks: -1, messages: [{ value: "a" }, { value: "b" }] });
  await producer.disconnect();
  await kafka.kill();
  await kafka.restart();
  await vi.waitFor(async () => {
    const [offsets] = await withAdmin(kafka.url, (admin) => admin.fetchTopicOffsets("kept"));
    expect(offsets?.high).toBe("2");
  }, WAIT);
});

test("after SIGKILL Redis restarts on the same port with the data of its append-only file", async () => {
  const { redis } = sets[0]!;
  await withRedis(redis.url, async (connection) => {
    await connection.config("SET", "appendfsync", "always");
    await connection.set("kept", "yes");
  });
  await redis.kill();
  await redis.restart();
  expect(await withRedis(redis.url, (connection) => connection.get("kept"))).toBe("yes");
  expect(await withRedis(redis.url, (connection) => connection.config("GET", "maxmemory-policy"))).toContain(
    "noeviction",
  );
});

test("a paused server accepts connections and responds only after it is resumed", async () => {
  const { redis } = sets[0]!;
  await redis.pause();
  const socket = createConnection(Number(new URL(redis.url).port), "127.0.0.1");
  const response = new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
  await new Promise<void>((resolve) => socket.write("PING\r\n", () => resolve()));
  expect(await Promise.race([response, pingRedis(redis.url)])).toBe("no response");
  await redis.resume();
  expect(await response).toBe("+PONG\r\n");
  socket.destroy();
});

test("a server that exits unexpectedly is reported with the reason; a killed one is not reported", async () => {
  const { redis } = sets[1]!;
  await redis.kill();
  await redis.restart();
  await withRedis(redis.url, (connection) => connection.shutdown("NOSAVE")).catch(() => undefined);
  expect((await sets[1]!.failed).message).toMatch(/redis ended unexpectedly/);
});

test("a second server on a data folder in use is rejected", async () => {
  const second = startServer("mongo", { dataDirectory: folders[0]!, progress: () => {}, source: "native" });
  const { source } = sets[0]!.mongo;
  if (source === "native") await expect(second).rejects.toThrow(/mongo already runs/);
  else await (await second).stop();
});

test("a server of the environment is used, can't be killed or paused, and `stop` does not stop it", async () => {
  const { url } = sets[0]!.mongo;
  const server = await startServer("mongo", {
    dataDirectory: folders[1]!,
    progress: () => {},
    env: { MONGO_URL: url },
  });
  expect(server).toMatchObject({ source: "environment", url });
  await expect(server.kill()).rejects.toThrow(/MONGO_URL/);
  await expect(server.pause()).rejects.toThrow(/MONGO_URL/);
  await server.stop();
  expect(await withMongo(url, (connection) => connection.db("it").command({ ping: 1 }))).toMatchObject({
    ok: 1,
  });
});

const client = (broker: string) => new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });

async function withAdmin<T>(
  broker: string,
  use: (admin: ReturnType<Kafka["admin"]>) => Promise<T>,
): Promise<T> {
  const admin = client(broker).admin();
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

async function withMongo<T>(
  url: string,
  use: (client: mongoose.mongo.MongoClient) => Promise<T>,
  serverSelectionTimeoutMS = 60_000,
): Promise<T> {
  const connection = new mongoose.mongo.MongoClient(url, { serverSelectionTimeoutMS });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on("error", () => undefined);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** Whether the server responds to a PING within 1 s. A paused server does not. */
async function pingRedis(url: string): Promise<string> {
  const redis = new Redis(url, { commandTimeout: 1_000, retryStrategy: () => null, enableReadyCheck: false });
  redis.on("error", () => undefined);
  return redis
    .ping()
    .then(
      () => "a response",
      () => "no response",
    )
    .finally(() => redis.disconnect());
}
