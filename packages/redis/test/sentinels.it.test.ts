import { setTimeout as sleep } from "node:timers/promises";
import { eventually, privateRedisSentinels, type RedisSentinels } from "@asset-register/harness";
import { createLogger, newId } from "@asset-register/runtime";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createSubscriber } from "../src/create-redis.ts";
import { createNews, createRedis, subscribe } from "../src/index.ts";

const logger = createLogger({ service: "test", level: "silent" });

const servers: RedisSentinels = await privateRedisSentinels();
afterAll(() => servers.stop());

const options = {
  sentinels: servers,
  timeoutMs: 10_000,
  logger,
};

test("while no Redis is primary commands fail immediately; after the failover they reach the new one, and so do news", async () => {
  const redis = createRedis(options);
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const channel = newId("news");
  const received: string[] = [];
  let connections = 0;
  const subscription = subscribe(channel, options, {
    onMessage: (text) => received.push(text),
    onConnected: () => (connections += 1),
  });
  onTestFinished(subscription.stop);
  subscription.start();
  const news = createNews(channel, options, () => undefined);
  onTestFinished(news.stop);
  news.start();
  await eventually(() => {
    news.publish("before");
    expect(received).toContain("before");
  });
  await redis.set("key", "kept");
  // The data has reached the replica.
  expect(await redis.eval("return redis.call('GET', KEYS[1])", 1, "key")).toBe("kept");
  const replica = createRedis({ url: servers.servers[1].url, timeoutMs: 10_000, logger });
  onTestFinished(() => replica.disconnect());
  await replica.connect();
  await eventually(async () => expect(await replica.get("key")).toBe("kept"));

  await servers.servers[0].kill();
  await eventually(() => expect(redis.set("count", 1)).rejects.toThrow());
  await eventually(async () => expect(await redis.get("key")).toBe("kept"));
  await eventually(async () => expect(await redis.set("key", "new")).toBe("OK"));
  expect(await replica.get("key")).toBe("new");
  await eventually(() => {
    news.publish("after");
    expect(received).toContain("after");
  });
  expect(connections).toBeGreaterThan(1);
});

test("a client whose failover is announced while it is connecting connects again, and not after it was disconnected", async () => {
  const redis = createSubscriber(options);
  onTestFinished(() => redis.disconnect());
  void redis.connect().catch(() => undefined);
  expect(redis.status).toBe("connecting");
  // What the announcement of a failover does in ioredis.
  (redis as unknown as { connector: { disconnect(): void } }).connector.disconnect();
  await eventually(() => expect(redis.status).toBe("ready"));
  redis.disconnect();
  await eventually(() => expect(redis.status).toBe("end"));
  await sleep(200);
  expect(redis.status).toBe("end");
});
