import { eventually, privateServer, testServers } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
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
