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
import type { Activity, Verdict } from "./activity.ts";
import { checkouts } from "./checkouts.ts";
import { alternating, createSend, type Send } from "./clients.ts";
import type { Clocks } from "./clocks.ts";
import { creations } from "./creations.ts";
import { deliveries } from "./deliveries.ts";
import { edits } from "./edits.ts";
import type { Fault } from "./faults.ts";

export type ClusterLoad = { readers: number; rate: number; seed: number };

/** What clients saw during one fault, and how long the cluster needed afterwards. */
export type FaultRound = Round & { fault: string; disturbed: string; lastedMs: number; recoveryMs: number };

export type ClusterResult = {
  rounds: FaultRound[];
  reads: Comparison;
  verdicts: Verdict[];
  /** Requests that were not accepted at all or answered wrongly, and a cluster that was not healthy in time. */
  faults: string[];
};

/** The cluster must be healthy again after this time without anybody's help. */
const HEALTHY_MS = 120_000;
/** Load without a fault before the first one and after the last one. */
const CALM_MS = 5_000;
const VERIFY_MS = 180_000;

/**
 * Makes the faults one after the other under a mixed load, and compares what was acknowledged with what is stored,
 * published and delivered.
 * @throws Error if the cluster does not work before the first fault
 */
export async function runClusterChaos(
  { cluster, demo, clocks }: { cluster: Cluster; demo: Demo; clocks: Clocks },
  { faults, load }: { faults: readonly Fault[]; load: ClusterLoad },
  progress: (line: string) => void,
): Promise<ClusterResult> {
  const ledger = createLedger();
  const random = createRandom(load.seed);
  const options = simulatorOptions(load);
  const fleet = await prepareFleet(options, demo, progress);
  const send = createSend(cluster.baseUrls, demo, ledger);
  const created = creations(send);
  const receiver = hasService(cluster, "notification")
    ? await deliveries(send, created.acknowledged)
    : undefined;
  const activities: Activity[] = [created, await edits(send), await checkouts(send)];
  if (receiver !== undefined) activities.push(receiver);

  let isRunning = true;
  const running = () => isRunning;
  // A request that was given up ends it, and is in the ledger as a fault.
  const fleetRun = runFleet(fleet, options, readSender(cluster, demo, ledger), running).catch(
    () => undefined,
  );
  const work = Promise.all([fleetRun, ...activities.map((activity) => perform(activity, running))]);
  const rounds: FaultRound[] = [];
  try {
    await sleep(CALM_MS);
    for (const fault of faults) {
      progress(`Fault: ${fault.name}`);
      ledger.round = emptyRound();
      const began = Date.now();
      const disturbed = await fault.make({ cluster, clocks, random });
      const ended = Date.now();
      const recoveryMs = await untilHealthy(cluster, send, ledger, fault.name);
      await sleep(CALM_MS);
      rounds.push({ fault: fault.name, disturbed, lastedMs: ended - began, recoveryMs, ...ledger.round });
    }
  } finally {
    isRunning = false;
    await work;
  }
  progress("Waiting until everything is processed");
  const surfaceA = createApi(`${cluster.baseUrls[0]}/v1`, demo.api_key);
  const env = cluster.envOf("tagging-ingest");
  const reads = await compareStored({ taggingEnv: env, demo }, surfaceA, ledger);
  const verdicts = await Promise.all(activities.map(verifyPatiently));
  await receiver?.stop();
  return { rounds, reads, verdicts, faults: ledger.faults };
}

export function isClean({ reads, verdicts, faults }: ClusterResult): boolean {
  const isExact = verdicts.every(({ lost, doubled }) => lost === 0 && doubled === 0);
  return isExact && isFaultless(reads) && faults.length === 0;
}

const hasService = ({ members }: Cluster, service: string): boolean =>
  [...members.keys()].some((name) => name.startsWith(`${service}-`));

/** A request that was given up is in the ledger as a fault. Then the next step follows. */
async function perform(activity: Activity, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    await activity.step().catch(() => undefined);
    const end = Date.now() + activity.everyMs;
    while (isRunning() && Date.now() < end) await sleep(Math.min(activity.everyMs, 200));
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

/** Waits until every process is ready and a write is accepted. Returns how long that took. */
async function untilHealthy(cluster: Cluster, send: Send, ledger: Ledger, fault: string): Promise<number> {
  const began = Date.now();
  const isHealthy = (async () => {
    await Promise.all([...cluster.members.values()].map((member) => member.ready?.()));
    await send("POST", "/assets", { name: "Chaos probe" });
    return true;
  })().catch(() => false);
  const late = sleep(HEALTHY_MS, false);
  if (!(await Promise.race([isHealthy, late])))
    ledger.faults.push(`The cluster was not healthy ${HEALTHY_MS / 1000} s after: ${fault}`);
  return Date.now() - began;
}

/** Effects of the last requests come later. */
async function verifyPatiently(activity: Activity): Promise<Verdict> {
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
