import { randomUUID } from "node:crypto";
import { eventually, testServers } from "@asset-register/harness";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { Redis } from "ioredis";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createRateLimiter, gcra } from "../src/rate-limit.ts";
import { connectRedis } from "../src/redis.ts";

const logger = createLogger({ service: "test", level: "silent" });

const redis = connectRedis({ url: testServers().redisUrl, timeoutMs: 20_000, logger });
await ready(redis);
const limiter = createRateLimiter({ redis, logger, metrics: createMetrics({ service: "test" }) });

/** For commands that the gateway does not use. */
const direct = new Redis(testServers().redisUrl);

afterAll(() => {
  redis.disconnect();
  direct.disconnect();
});

const NO_VERSIONS = { keys: [], known: [] };

/** On a busy machine the first connection can fail. Then the client connects again. */
async function ready(client: typeof redis): Promise<void> {
  await client.connect().catch(() => undefined);
  await eventually(() => client.ping());
}

/** The time of Redis in microseconds. */
async function redisNow(): Promise<number> {
  const [seconds, micros] = await direct.time();
  return Number(seconds) * 1_000_000 + Number(micros);
}

// Slow rates, so that the keys live for a minute and still exist when the test reads them.
test.each([
  { perMinute: 1, burst: 10 },
  { perMinute: 0.7, burst: 3 },
  { perMinute: 1, burst: 1 },
])("the script in Redis decides like gcra() at $perMinute/min, burst $burst", async (rate) => {
  const subject = `test:${randomUUID()}`;
  let arrival = 0;
  for (let i = 0; i < rate.burst + 3; i += 1) {
    const before = await redisNow();
    const got = await limiter.take(subject, rate, NO_VERSIONS);
    const after = await redisNow();
    // Redis decided between the two instants, so its result lies between their results.
    const [early, late] = [gcra(arrival, before, rate), gcra(arrival, after, rate)];
    if (early.allowed === late.allowed) expect(got.allowed).toBe(early.allowed);
    expect(got.remaining).toBeGreaterThanOrEqual(early.remaining);
    expect(got.remaining).toBeLessThanOrEqual(late.remaining);
    expect(got.retryAfterMs).toBeGreaterThanOrEqual(Math.min(early.retryAfterMs, late.retryAfterMs) - 1);
    expect(got.retryAfterMs).toBeLessThanOrEqual(Math.max(early.retryAfterMs, late.retryAfterMs) + 1);
    arrival = Number((await redis.get(`rate:${subject}`)) ?? 0);
    expect(got.resetMs).toBeGreaterThanOrEqual(Math.floor((arrival - after) / 1000));
    expect(got.resetMs).toBeLessThanOrEqual(Math.ceil((arrival - before) / 1000));
  }
});

test("the key of an idle subject expires", async () => {
  const subject = `test:${randomUUID()}`;
  await limiter.take(subject, { perMinute: 1, burst: 10 }, NO_VERSIONS);
  const ttl = await direct.pttl(`rate:${subject}`);
  expect(ttl).toBeGreaterThan(0);
  expect(ttl).toBeLessThanOrEqual(60_000);
});

test("a credential is stale when Redis has a newer version of it, its user or its workspace", async () => {
  const [mine, users] = [randomUUID(), randomUUID()].map((id) => `credential-version:${id}`);
  const versions = { keys: [mine ?? "", users ?? ""], known: [3, 9] };
  const rate = { perMinute: 6000, burst: 100 };
  const stale = async () => {
    const [taken, asked] = [await limiter.take(mine ?? "", rate, versions), await limiter.stale(versions)];
    expect(taken.stale).toBe(asked);
    return asked;
  };
  expect(await stale()).toBe(false);
  await redis.set(users ?? "", 9, "EX", 60);
  expect(await stale()).toBe(false);
  await redis.set(users ?? "", 10, "EX", 60);
  expect(await stale()).toBe(true);
});

test("calls of stale() at the same moment share one query, a later call makes another", async () => {
  const key = `credential-version:${randomUUID()}`;
  const versions = { keys: [key], known: [1] };
  const [first, second] = [limiter.stale(versions), limiter.stale(versions)];
  expect(first).toBe(second);
  expect(await first).toBe(false);
  await redis.set(key, 2, "EX", 60);
  expect(await limiter.stale(versions)).toBe(true);
});

test("errors of an available Redis are all counted; errors less than a minute apart are logged once", async () => {
  const user = `refused-${randomUUID()}`;
  // Like a replica, this user may only read.
  await direct.call("ACL", "SETUSER", user, "on", ">secret", "~*", "+@read", "+@connection", "+info");
  onTestFinished(async () => void (await direct.call("ACL", "DELUSER", user)));
  const url = new URL(testServers().redisUrl);
  url.username = user;
  url.password = "secret";
  const refused = connectRedis({ url: url.href, timeoutMs: 20_000, logger });
  onTestFinished(() => refused.disconnect());
  await ready(refused);

  const lines: string[] = [];
  const metrics = createMetrics({ service: "test" });
  let now = 1_000_000;
  const counting = createRateLimiter(
    {
      redis: refused,
      logger: createLogger({ service: "test", destination: { write: (line) => void lines.push(line) } }),
      metrics,
    },
    () => now,
  );
  const take = () => counting.take("somebody", { perMinute: 60, burst: 5 }, NO_VERSIONS);
  for (let taken = 0; taken < 5; taken += 1)
    expect(await take()).toMatchObject({ allowed: true, stale: true });
  expect(await take()).toMatchObject({ allowed: false });
  expect(lines).toEqual([expect.stringContaining("NOPERM")]);
  expect(await counting.stale({ keys: [`credential-version:${randomUUID()}`], known: [1] })).toBe(false);
  now += 61_000;
  await take();
  expect(lines).toHaveLength(2);
  expect(await metrics.registry.getSingleMetricAsString("redis_fallbacks_total")).toMatch(
    /\{.*use="rate_limit".*\} 7$/m,
  );
});
