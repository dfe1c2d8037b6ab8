import { eventually, privateServer, testServers } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { expect, onTestFinished, test, vi } from "vitest";
import { createRedis } from "../src/index.ts";

function logged() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return {
    logger: createLogger({ service: "test", level: "debug", destination }),
    /** The logged messages in order. */
    messages: () => lines.map((line): unknown => JSON.parse(line).message),
    text: () => lines.join(),
  };
}

test("while Redis is unavailable commands fail immediately, and outage and recovery are logged once each", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const { logger, messages } = logged();
  const redis = createRedis({ url: server.url, timeoutMs: 20_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  let failures = 0;
  redis.on("error", () => (failures += 1));
  await server.kill();
  await eventually(() => expect(failures).toBeGreaterThan(2));
  await expect(redis.get("key")).rejects.toThrow();
  expect(messages()).toEqual(["Redis is unavailable"]);
  await server.restart();
  await eventually(async () => expect(await redis.get("key")).toBeNull());
  expect(messages()).toEqual(["Redis is unavailable", "Redis is available again"]);
});

test("while Redis hangs, a command fails after its time-out", async () => {
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

test("a connection on which Redis hangs is closed with all its waiting commands, and a new one is opened", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const { logger, messages } = logged();
  const redis = createRedis({ url: server.url, timeoutMs: 1_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  await server.pause();
  const ended = new Promise<unknown>((resolve) => redis.once("error", resolve));
  const commands = await Promise.allSettled(Array.from({ length: 100 }, () => redis.incr("count")));
  expect(commands.map(({ status }) => status)).not.toContain("fulfilled");
  // The callers got their errors. The connection still has the commands, in case a response comes.
  expect(redis.commandQueue.length).toBe(100);
  expect(String(await ended)).toContain("Socket timeout");
  await eventually(() => expect(redis.commandQueue.length).toBeLessThan(100));
  await expect(redis.get("count")).rejects.toThrow();
  await server.resume();
  await eventually(async () => expect(await redis.get("other")).toBeNull());
  expect(messages()).toEqual(["Redis is unavailable", "Redis is available again"]);
});

test("an idle connection stays open", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const redis = createRedis({ url: testServers().redisUrl, timeoutMs: 50, logger: logged().logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const id = await redis.client("ID");
  vi.advanceTimersByTime(3_600_000);
  expect(await redis.client("ID")).toBe(id);
});

test("after a refused write the client reconnects, at most every 10 s, and reads still succeed", async () => {
  const server = await privateServer("redis");
  onTestFinished(() => server.stop());
  const redis = createRedis({ url: server.url, timeoutMs: 20_000, logger: logged().logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const before = await redis.client("ID");
  await redis.set("key", "kept");
  await redis.replicaof("127.0.0.1", 1);
  // The clock is fixed, so that a slow machine does not change the result.
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

test("a password that Redis refuses is never logged", async () => {
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
