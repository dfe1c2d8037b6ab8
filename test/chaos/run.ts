import { setTimeout as sleep } from "node:timers/promises";
import { type Api, createApi } from "@asset-register/harness/client";
import { prepareFleet } from "../simulator/fleet.ts";
import type { Options } from "../simulator/options.ts";
import { createReport } from "../simulator/report.ts";
import { runFleet } from "../simulator/run.ts";
import { createSender } from "../simulator/send.ts";
import { type Comparison, compare, isFaultless, type LastSeen } from "./compare.ts";
import { createLedger, emptyRound, type Ledger, type Round, withRetries } from "./ledger.ts";
import type { ChaosOptions, Target } from "./options.ts";
import type { ChaosPlatform } from "./platform.ts";
import { readStored } from "./stored.ts";

export type KilledRound = Round & { target: Target; downMs: number };

export type ChaosResult = { rounds: KilledRound[]; comparison: Comparison; faults: string[] };

const LAST_SEEN_MS = 150_000;

/**
 * Kills each target once while the fleet sends, and starts it again. Then compares the ledger with what is stored.
 * @throws Error if the platform does not work before the first kill
 */
export async function runChaos(
  platform: ChaosPlatform,
  options: ChaosOptions,
  progress: (line: string) => void,
): Promise<ChaosResult> {
  const { demo } = platform;
  const load = simulatorOptions(options);
  const fleet = await prepareFleet(load, demo, progress);
  const ledger = createLedger();
  const surfaceA = createApi(`${demo.base_url}/v1`, demo.api_key);
  const send = createSender({
    keyApi: withRetries(surfaceA, ledger),
    devices: withRetries(createApi(`${demo.base_url}/asset_manager_api`), ledger),
    report: createReport(),
  });
  const rounds: KilledRound[] = [];
  for (const [at, target] of options.kill.entries()) {
    progress(`Killing ${target} under load`);
    ledger.round = emptyRound();
    const seconds = options.seconds / options.kill.length;
    let isKilling = true;
    const killing = killDuring(platform, target, seconds).finally(() => {
      isKilling = false;
    });
    // On a slow machine the fleet sends for longer, so that it sends while the target is down.
    const [downMs] = await Promise.all([
      killing,
      runFleet(fleet, { ...load, seconds, seed: load.seed + at * 1000 }, send, () => isKilling),
    ]);
    rounds.push({ target, downMs, ...ledger.round });
  }
  progress("Waiting until everything is processed");
  const comparison = await compareStored(platform, surfaceA, ledger);
  return { rounds, comparison, faults: ledger.faults };
}

/** Kills after a third of the time, and starts again when half of it is over. Returns how long it was down. */
async function killDuring(platform: ChaosPlatform, target: Target, seconds: number): Promise<number> {
  const victim = platform.victim(target);
  await sleep((seconds * 1000) / 3);
  await victim.kill();
  const killed = Date.now();
  await sleep((seconds * 1000) / 6);
  await victim.restart();
  return Date.now() - killed;
}

/** A third of the fleet uses each profile. No request is signed wrongly, so no answer may be a 4xx. */
function simulatorOptions({ readers, rate, seed, seconds }: ChaosOptions): Options {
  return {
    ...{ readers, rate, seed, seconds, demoFile: "" },
    profiles: ["portal", "sled", "phone"],
    ...{ tags: 200, assets: 20, duplicates: 0.1, badSignatures: 0, offline: 0.1, skew: 1 },
  };
}

/** Waits until everything is processed, and compares the reads of the ledger with what is stored and published. */
export async function compareStored(
  platform: Pick<ChaosPlatform, "taggingEnv" | "demo">,
  api: Api,
  ledger: Ledger,
): Promise<Comparison> {
  const { taggingEnv, demo } = platform;
  const stored = await readStored(taggingEnv, demo.workspace_id, ledger.acknowledged.size);
  const end = Date.now() + LAST_SEEN_MS;
  for (;;) {
    const comparison = compare(ledger, stored, await readLastSeen(api));
    // The register applies sightings later.
    if (isFaultless(comparison) || Date.now() > end) return comparison;
    await sleep(1000);
  }
}

async function readLastSeen(api: Api): Promise<LastSeen> {
  type Asset = { id: string; last_seen: { at: string } | null };
  const { data } = await api.get<{ data: Asset[] }>("/assets?limit=200");
  return new Map(
    data.map(({ id, last_seen }) => [id, last_seen === null ? undefined : Date.parse(last_seen.at)]),
  );
}
