import { freshPrefix, testServers } from "@asset-register/harness";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isFaultless } from "./compare.ts";
import { type ChaosPlatform, startChaosPlatform } from "./platform.ts";
import { runChaos } from "./run.ts";
import { formatResult } from "./table.ts";

let platform: ChaosPlatform;
beforeAll(async () => {
  const { mongoUrl, kafkaBrokers, redisUrl } = testServers();
  platform = await startChaosPlatform({
    servers: { mongo: { url: mongoUrl }, kafka: { url: kafkaBrokers.join(",") }, redis: { url: redisUrl } },
    topicPrefix: freshPrefix(),
    // On a busy test machine, Redis and services must not look unavailable.
    settings: { REDIS_TIMEOUT: "5s", UPSTREAM_DEADLINE: "60s" },
    progress: () => {},
  });
});
afterAll(() => platform?.stop());

test("acknowledged reads are stored once and have their effect once when ingest and the worker are killed", async () => {
  const options = { kill: ["ingest", "worker"] as const, seconds: 8, readers: 3, rate: 60, seed: 7 };
  const result = await runChaos(platform, { ...options, kill: [...options.kill] }, () => {});
  const table = formatResult(result);
  expect(result.faults, table).toEqual([]);
  expect(isFaultless(result.comparison), table).toBe(true);
  expect(result.comparison.stored, table).toBeGreaterThan(100);
  // Requests came while ingest was down, and their retries were accepted.
  const [ingest, worker] = result.rounds;
  expect(ingest?.refused, table).toBeGreaterThan(0);
  expect(ingest?.afterRetry, table).toBeGreaterThan(0);
  // A killed worker makes no request fail. It may slow the intake down.
  expect(worker, table).toMatchObject({ refused: 0, broken: 0 });
}, 600_000);
