import { setTimeout as sleep } from "node:timers/promises";
import { createApi, type Demo } from "@asset-register/harness/client";
import type { Cluster } from "@asset-register/local";
import { prepareFleet } from "../../simulator/fleet.ts";
import type { Options } from "../../simulator/options.ts";
import { createRandom } from "../../simulator/random.ts";
import { createReport } from "../../simulator/report.ts";
import { runFleet } from "../../simulator/run.ts";
import { createSender } from "../../simulator/send.ts";
import { type Comparison, isFaultless } from "../compare.ts";
import { createLedger, emptyRound, type Ledger, type Round, withRetries } from "../ledger.ts";
import { compareStored } from "../run.ts";
import type { Activity, Verdict, Verified } from "./activity.ts";
import { alternating, createSend, type Send } from "./clients.ts";
import type { ChaosCluster } from "./cluster.ts";
import type { Fault } from "./faults.ts";
import { type Growth, isUnexplained, soak } from "./soak.ts";
import { prepareWork } from "./work.ts";

export type ClusterLoad = { readers: number; rate: number; seed: number };

/** What clients saw during one fault, and how long the cluster needed afterwards. */
export type FaultRound = Round & { fault: string; disturbed: string; lastedMs: number; recoveryMs: number };

export type ClusterResult = {
  rounds: FaultRound[];
  /** What a soak found, else empty. */
  growths: Growth[];
  reads: Comparison;
  verdicts: Verdict[];
  /** Faults that this machine can't make, with the reason. */
  skipped: string[];
  /** Requests that were not accepted at all or answered wrongly, and a cluster that was not healthy in time. */
  faults: string[];
};

/** The cluster must be healthy again after this time without anybody's help. */
const HEALTHY_MS = 120_000;
/** Load without a fault before the first one and after the last one. */
const CALM_MS = 5_000;
const VERIFY_MS = 180_000;
/** Between two steps of an activity. */
const STEP_MS = 400;

/**
 * Makes the faults one after the other under a mixed load, or soaks the cluster in it. Then compares what was acknowledged
 * with what is stored, published and delivered.
 * @throws Error if the cluster does not work before the first fault
 */
export async function runClusterChaos(
  { cluster, demo, missing, ...means }: Omit<ChaosCluster, "stop">,
  { faults, load, soakMs }: { faults: readonly Fault[]; load: ClusterLoad; soakMs?: number | undefined },
  progress: (line: string) => void,
): Promise<ClusterResult> {
  const ledger = createLedger();
  const random = createRandom(load.seed);
  const options = simulatorOptions(load);
  const fleet = await prepareFleet(options, demo, progress);
  const send = createSend(cluster.baseUrls, demo, ledger);
  const work = await prepareWork({ cluster, demo }, send);

  let isRunning = true;
  const goesOn = () => isRunning;
  const note = (error: unknown): void => void ledger.faults.push(String(error));
  const running = Promise.all([
    runFleet(fleet, options, readSender(cluster, demo, ledger), goesOn).catch(note),
    ...work.activities.map((activity) => perform(activity, goesOn, note)),
  ]);
  const rounds: FaultRound[] = [];
  const skipped: string[] = [];
  try {
    await sleep(CALM_MS);
    for (const fault of faults) {
      const reason = fault.needs === undefined ? undefined : missing.get(fault.needs);
      if (reason !== undefined) {
        skipped.push(`${fault.name}: ${reason}`);
        continue;
      }
      progress(`Fault: ${fault.name}`);
      ledger.round = emptyRound();
      const began = Date.now();
      const disturbed = await fault.make({ cluster, random, ...means });
      const ended = Date.now();
      await untilHealthy(cluster, send).catch((error) => note(`After ${fault.name}: ${error}`));
      const recoveryMs = Date.now() - ended;
      await sleep(CALM_MS);
      const made = { fault: fault.name, disturbed, lastedMs: ended - began, recoveryMs };
      // A request that began in this round may still be refused in the next one.
      rounds.push({ ...made, ...ledger.round, refusals: new Map(ledger.round.refusals) });
    }
    const growths = soakMs === undefined ? [] : await soak(cluster, soakMs, progress);
    isRunning = false;
    await running;
    progress("Waiting until everything is processed");
    const surfaceA = createApi(`${cluster.baseUrls[0]}/v1`, demo.api_key);
    const taggingEnv = cluster.envOf("tagging-ingest");
    const reads = await compareStored({ taggingEnv, demo }, surfaceA, ledger);
    const verdicts = await Promise.all(work.verified.map(verifyPatiently));
    return { rounds, skipped, growths, reads, verdicts, faults: ledger.faults };
  } finally {
    isRunning = false;
    await work.stop();
  }
}

export function isClean({ reads, verdicts, faults, growths }: ClusterResult): boolean {
  const isExact = verdicts.every(({ lost, doubled }) => lost === 0 && doubled === 0);
  return isExact && isFaultless(reads) && faults.length === 0 && !growths.some(isUnexplained);
}

/** A step that fails is a fault. Then the next one follows. */
async function perform(
  activity: Activity,
  isRunning: () => boolean,
  note: (error: unknown) => void,
): Promise<void> {
  while (isRunning()) {
    await activity.step().catch(note);
    await sleep(STEP_MS);
  }
}

function readSender(cluster: Cluster, demo: Demo, ledger: Ledger) {
  const apis = (surface: string, key?: string) =>
    alternating(cluster.baseUrls.map((url) => createApi(url + surface, key)));
  return createSender({
    keyApi: withRetries(apis("/v1", demo.api_key), ledger),
    devices: withRetries(apis("/asset_manager_api"), ledger),
    report: createReport(),
  });
}

/**
 * Waits until every process is ready and a write is accepted.
 * @throws Error if that takes too long
 */
async function untilHealthy(cluster: Cluster, send: Send): Promise<void> {
  const isHealthy = Promise.all([...cluster.members.values()].map((member) => member.ready?.())).then(() =>
    send("POST", "/assets", { name: "Chaos probe" }),
  );
  const late = sleep(HEALTHY_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the cluster was not healthy within ${HEALTHY_MS / 1000} s`);
  });
  await Promise.race([isHealthy, late]);
}

/** Effects of the last requests come later. */
async function verifyPatiently(activity: Verified): Promise<Verdict> {
  const end = Date.now() + VERIFY_MS;
  for (;;) {
    const verdict = await activity.verify();
    if ((verdict.lost === 0 && verdict.doubled === 0) || Date.now() > end) return verdict;
    await sleep(1_000);
  }
}

/** No request is signed wrongly, so no answer may be a 4xx. */
function simulatorOptions({ readers, rate, seed }: ClusterLoad): Options {
  return {
    ...{ readers, rate, seed, seconds: 0, demoFile: "" },
    profiles: ["portal", "sled", "phone"],
    ...{ tags: 200, assets: 20, duplicates: 0.1, badSignatures: 0, offline: 0.1, skew: 1 },
  };
}
