import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChaosCluster, startChaosCluster } from "./cluster.ts";
import { FAULTS } from "./faults.ts";
import { formatClusterResult } from "./format.ts";
import { isClean, runClusterChaos } from "./run.ts";

let chaos: ChaosCluster;
beforeAll(async () => {
  chaos = await startChaosCluster(
    {
      services: ["identity", "register", "tagging-ingest"],
      ...{ copies: 1, electionTimeoutMs: 2_000 },
      // On a busy test machine, Redis and services must not look unavailable.
      settings: { REDIS_TIMEOUT: "5s", UPSTREAM_DEADLINE: "60s" },
    },
    () => {},
  );
}, 600_000);
afterAll(() => chaos?.stop(), 120_000);

test("nothing that was acknowledged is lost or doubled when the primary is killed, and a partition has too few replicas", async () => {
  const faults = FAULTS.filter(({ name }) => /primary of MongoDB killed|without enough replicas/.test(name));
  const load = { readers: 3, rate: 30, seed: 7 };
  const result = await runClusterChaos(chaos, { faults, load }, () => {});
  const text = formatClusterResult(result);
  expect(isClean(result), text).toBe(true);
  expect(result.rounds, text).toHaveLength(2);
  expect(result.reads.stored, text).toBeGreaterThan(100);
  for (const { acknowledged } of result.verdicts) expect(acknowledged, text).toBeGreaterThan(5);
  // Reads of the partition were refused meanwhile, and their retries were accepted.
  const [, partition] = result.rounds;
  expect(partition?.refused, text).toBeGreaterThan(0);
}, 900_000);
