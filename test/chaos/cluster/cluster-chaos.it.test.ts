import { expect, onTestFinished, test } from "vitest";
import { startChaosCluster } from "./cluster.ts";
import { FAULTS } from "./faults.ts";
import { formatClusterResult } from "./format.ts";
import { isClean, runClusterChaos } from "./run.ts";

const SILENT = () => {};

test("nothing that was acknowledged is lost or doubled when the primary is killed, and a partition has too few replicas", async () => {
  const services = ["identity", "register", "tagging-ingest"];
  const faults = FAULTS.filter(({ name }) => /primary of MongoDB killed|without enough replicas/.test(name));
  // On a busy test machine, Redis and services must not look unavailable.
  const settings = { REDIS_TIMEOUT: "5s", UPSTREAM_DEADLINE: "60s" };
  const chaos = await startChaosCluster(
    { faults, services, settings, copies: 1, electionTimeoutMs: 2_000 },
    SILENT,
  );
  onTestFinished(() => chaos.stop(), 120_000);

  const result = await runClusterChaos(chaos, { faults, load: { readers: 3, rate: 30, seed: 7 } }, SILENT);
  const text = formatClusterResult(result);
  expect(isClean(result), text).toBe(true);
  expect(result.rounds, text).toHaveLength(2);
  expect(result.reads.stored, text).toBeGreaterThan(100);
  for (const { acknowledged } of result.verdicts) expect(acknowledged, text).toBeGreaterThan(5);
  // Reads of the partition were refused meanwhile, and their retries were accepted.
  const [, partition] = result.rounds;
  expect(partition?.refused, text).toBeGreaterThan(0);
}, 900_000);
