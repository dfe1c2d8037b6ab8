import { eventually, privateRedisCluster } from "@asset-register/harness";
import { createLogger, newId } from "@asset-register/runtime";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { bySlot, createNews, createRedis, getAll, mapBySlot } from "../src/index.ts";

const servers = await privateRedisCluster();
afterAll(() => servers.stop());

const { addresses: cluster } = servers;

function logged() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return {
    logger: createLogger({ service: "test", level: "debug", destination }),
    messages: () => lines.map((line): unknown => JSON.parse(line).message),
  };
}

const { logger } = logged();

/** Keys on all three nodes. */
const KEYS = ["a", "b", "c", "d", "e", "f"];

test("the first commands after connect() succeed on every node", async () => {
  const redis = createRedis({ cluster, timeoutMs: 10_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  await Promise.all(KEYS.map((key) => redis.set(key, key)));
  expect(await getAll(redis, KEYS)).toEqual(KEYS);
});

test("a script names the keys of one hash tag; items of several are grouped and keep their order", async () => {
  const redis = createRedis({ cluster, timeoutMs: 10_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const items = ["x1", "y1", "z1", "x2", "y2"];
  const tagOf = (item: string) => item.slice(0, 1);
  const keyOf = (item: string) => `{${tagOf(item)}}:${item}`;
  await expect(redis.mget(items.map(keyOf))).rejects.toThrow("CROSSSLOT");
  expect(bySlot(redis, items, tagOf)).toEqual([["x1", "x2"], ["y1", "y2"], ["z1"]]);
  const reply = await mapBySlot(redis, items, tagOf, async (group) => {
    for (const item of group) await redis.set(keyOf(item), item);
    return redis.mget(group.map(keyOf));
  });
  expect(reply).toEqual(items);
});

test("news reach all processes, whichever node they are connected to", async () => {
  const channel = newId("news");
  const received: string[][] = [];
  for (const first of cluster.keys()) {
    const mine: string[] = [];
    received.push(mine);
    const nodes = [...cluster.slice(first), ...cluster.slice(0, first)];
    const news = createNews(channel, { cluster: nodes, timeoutMs: 10_000, logger }, () => undefined);
    onTestFinished(news.stop);
    news.start();
    news.subscribe((text) => mine.push(text));
    await eventually(() => {
      news.publish(`from ${first}`);
      for (const texts of received) expect(texts).toContain(`from ${first}`);
    });
  }
});

const increase = (redis: ReturnType<typeof createRedis>) =>
  Promise.allSettled(KEYS.map((key) => redis.eval("return redis.call('INCR', KEYS[1])", 1, `count:${key}`)));

test("while a node is unavailable its commands fail, those of other nodes succeed; outage and recovery are logged once", async () => {
  const { logger, messages } = logged();
  const redis = createRedis({ cluster, timeoutMs: 10_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const [node] = servers.nodes;
  const outcomes = async () => new Set((await increase(redis)).map(({ status }) => status));
  await node?.kill();
  await eventually(async () => {
    expect(await outcomes()).toContain("rejected");
    expect(messages()).toEqual(["Redis is unavailable"]);
  });
  await node?.restart();
  await eventually(async () => expect(await outcomes()).toEqual(new Set(["fulfilled"])));
  await eventually(() => expect(messages()).toEqual(["Redis is unavailable", "Redis is available again"]));
});

test("commands of a node that hangs fail after their time-out and are not sent again", async () => {
  const redis = createRedis({ cluster, timeoutMs: 2_000, logger });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const counts = KEYS.map((key) => `count:${key}`);
  await Promise.all(counts.map((key) => redis.del(key)));
  const [node] = servers.nodes;
  await node?.pause();
  const outcomes = await increase(redis);
  expect(outcomes.map(({ status }) => status)).toContain("rejected");
  await node?.resume();
  const values = await eventually(() => getAll(redis, counts));
  for (const [at, { status }] of outcomes.entries()) {
    // The answer of a command that failed was lost. It may have been run, but once.
    expect(status === "fulfilled" ? ["1"] : [null, "1"]).toContain(values[at]);
  }
});
