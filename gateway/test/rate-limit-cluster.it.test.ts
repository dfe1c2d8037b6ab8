import { randomUUID } from "node:crypto";
import { privateRedisCluster } from "@asset-register/harness";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import { createRateLimiter } from "../src/rate-limit.ts";
import { connectRedis } from "../src/redis.ts";

const logger = createLogger({ service: "test", level: "silent" });
const metrics = createMetrics({ service: "test" });

const servers = await privateRedisCluster();
const redis = connectRedis({ cluster: servers.addresses, timeoutMs: 10_000, logger });
await redis.connect();
const limiter = createRateLimiter({ redis, logger, metrics });
afterAll(async () => {
  redis.disconnect();
  await servers.stop();
});

const ids = (count: number) => Array.from({ length: count }, () => `credential-version:${randomUUID()}`);

test("on a cluster, limits, refusals and versions of credentials work for subjects and credentials on all nodes", async () => {
  const rate = { perMinute: 1, burst: 2 };
  const [mine, users, workspaces] = [ids(20), ids(20), ids(20)];
  const all = mine.map((key, at) => ({
    keys: [key, users[at] ?? "", workspaces[at] ?? ""],
    known: [1, 1, 1],
  }));
  for (const [at, versions] of all.entries()) {
    const take = () => limiter.take(`subject:${at}`, rate, versions);
    expect(await Promise.all([take(), take(), take()])).toMatchObject([
      { allowed: true, remaining: 1, stale: false },
      { allowed: true, remaining: 0, stale: false },
      { allowed: false, remaining: 0, stale: false },
    ]);
    expect(await limiter.charge(`network:${at}`, rate, 2)).toBeGreaterThan(60_000);
  }
  await Promise.all(users.slice(10).map((key) => redis.set(key, 2, "EX", 60)));
  const expected = all.map((_, at) => at >= 10);
  expect(await limiter.staleOf(all)).toEqual(expected);
  expect(await Promise.all(all.map((versions) => limiter.stale(versions)))).toEqual(expected);
  const taken = await Promise.all(all.map((versions, at) => limiter.take(`other:${at}`, rate, versions)));
  expect(taken.map(({ stale }) => stale)).toEqual(expected);
  // None of these was decided without Redis.
  expect(await metrics.registry.getSingleMetricAsString("redis_fallbacks_total")).not.toMatch(
    /^redis_fallbacks_total\{/m,
  );
});
