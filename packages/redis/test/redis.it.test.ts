import { eventually, privateServer, testServers } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRedis } from "../src/index.ts";

function logged() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return {
    logger: createLogger({ service: "test", level: "debug", destination }),
    /** Messages in their order. */
    said: () => lines.map((line): unknown => JSON.parse(line).message),
    text: () => lines.join(),
  };
}

test("while Redis is away commands fail at once, and going and coming are logged once each", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const { logger, said } = logged();
  const redis = createRedis({ url: server.url, timeoutMs: 20_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  let failures = 0;
  redis.on("error", () => (failures += 1));
  await server.kill();
  await eventually(() => expect(failures).toBeGreaterThan(2));
  await expect(redis.get("key")).rejects.toThrow();
  expect(said()).toEqual(["Redis is away"]);
  await server.restart();
  await eventually(async () => expect(await redis.get("key")).toBeNull());
  expect(said()).toEqual(["Redis is away", "Redis is back"]);
});

test("a Redis that hangs is waited for as long as was said", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const redis = createRedis({ url: server.url, timeoutMs: 2_000, logger: logged().logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  await server.pause();
  await expect(redis.incr("count")).rejects.toThrow(/timed out/);
  await server.resume();
  await eventually(async () => expect(await redis.get("count")).toBe("1"));
});

test("a connection on which Redis hangs is ended, with all that waits on it, and made anew", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const { logger, said } = logged();
  const redis = createRedis({ url: server.url, timeoutMs: 1_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  await server.pause();
  const ended = new Promise<unknown>((resolve) => redis.once("error", resolve));
  const commands = await Promise.allSettled(Array.from({ length: 100 }, () => redis.incr("count")));
  expect(commands.map(({ status }) => status)).not.toContain("fulfilled");
  // They have been told; the connection has them still, in case an answer comes.
  expect(redis.commandQueue.length).toBe(100);
  expect(String(await ended)).toContain("Socket timeout");
  await eventually(() => expect(redis.commandQueue.length).toBeLessThan(100));
  await expect(redis.get("count")).rejects.toThrow();
  await server.resume();
  await eventually(async () => expect(await redis.get("other")).toBeNull());
  expect(said()).toEqual(["Redis is away", "Redis is back"]);
});

test("a connection that nobody uses stays as it is", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const redis = createRedis({ url: testServers().redisUrl, timeoutMs: 50, logger: logged().logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const id = await redis.client("ID");
  vi.advanceTimersByTime(3_600_000);
  expect(await redis.client("ID")).toBe(id);
});

test("a Redis that refuses to be written is connected to anew, once in a while, and goes on being read", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const redis = createRedis({ url: server.url, timeoutMs: 20_000, logger: logged().logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const before = await redis.client("ID");
  await redis.set("key", "kept");
  await redis.replicaof("127.0.0.1", 1);
  // However slow the machine: all of it is within one moment.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const refusal = () => expect(redis.set("key", "new")).rejects.toThrow("READONLY");
  const ready = new Promise((resolve) => redis.once("ready", resolve));
  await refusal();
  await ready;
  const after = await redis.client("ID");
  expect(after).not.toBe(before);
  await refusal();
  await expect(redis.eval("return redis.call('SET', KEYS[1], 'new')", 1, "key")).rejects.toThrow("READONLY");
  expect(await redis.get("key")).toBe("kept");
  expect(await redis.client("ID")).toBe(after);
  vi.advanceTimersByTime(10_000);
  const again = new Promise((resolve) => redis.once("ready", resolve));
  await refusal();
  await again;
});

test("a password that Redis refuses is in no line of the log", async () => {
  const { logger, text } = logged();
  const url = new URL(testServers().redisUrl);
  url.username = "nobody";
  url.password = "hunter2";
  const redis = createRedis({ url: url.href, timeoutMs: 20_000, logger });
  onTestFinished(() => redis.disconnect());
  const refused = new Promise((resolve) => redis.once("error", resolve));
  await redis.connect().catch(() => undefined);
  expect(JSON.stringify(await refused)).toContain("hunter2");
  expect(text()).toContain("WRONGPASS");
  expect(text()).not.toContain("hunter2");
});
