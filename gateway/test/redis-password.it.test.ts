import { testServers } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { connectRedis } from "../src/redis.ts";

test("a password that Redis refuses is in no line of the log", async () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: "test",
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  const url = new URL(testServers().redisUrl);
  url.username = "nobody";
  url.password = "hunter2";
  const redis = connectRedis({ url: url.href, timeoutMs: 20_000, logger });
  onTestFinished(() => redis.disconnect());
  const refused = new Promise((resolve) => redis.once("error", resolve));
  await redis.connect().catch(() => undefined);
  expect(JSON.stringify(await refused)).toContain("hunter2");
  expect(lines.join()).toContain("WRONGPASS");
  expect(lines.join()).not.toContain("hunter2");
});
