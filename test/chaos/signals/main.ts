import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { render } from "@asset-register/helm/chart";
import { findHelm } from "@asset-register/helm/tools";
import { describeError, LocalError } from "@asset-register/local";
import { startChaosCluster } from "../cluster/cluster.ts";
import { chooseFaults } from "../cluster/options.ts";
import { type RuleGroup, rulesOfStarted, targetsOf } from "./config.ts";
import { GROUPS, SERVICES } from "./faults.ts";
import { formatSignals } from "./format.ts";
import { pastOf } from "./history.ts";
import { startLoad } from "./load.ts";
import { startPrometheus } from "./prometheus.ts";
import { startSlowReceiver } from "./receiver.ts";
import { runSignals } from "./run.ts";
import { watchAlerts } from "./watch.ts";

/** The first requests to a new process are slow. */
const WARM_UP_MS = 60_000;
/** Load before its rates count as those of the past, and until Prometheus has read the past. */
const CALM_MS = 150_000;

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

// All processes are killed when this one exits, which a signal alone would not do.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const running: { stop(): Promise<void> }[] = [];

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { faults: { type: "string" } } });
  const chosen = chooseFaults(GROUPS.flat(), values.faults);
  const rules = await chartRules();
  const chaos = await startChaosCluster({ services: SERVICES, copies: 1, roles: "split" }, progress);
  running.push(chaos);
  const { cluster, demo } = chaos;
  const [receiver, load] = [await startSlowReceiver(), await startLoad(demo, progress)];
  running.push(receiver, load);
  await load.user.post("/webhooks", { url: receiver.url, events: ["asset.created"] });
  progress("Load without a fault");
  await sleep(WARM_UP_MS);

  const directory = await mkdtemp(path.join(tmpdir(), "asset-register-signals-"));
  running.push({ stop: () => rm(directory, { recursive: true, force: true }) });
  const startedAt = Math.floor(Date.now() / 60_000) * 60;
  const prometheus = await startPrometheus(rulesOfStarted(rules, [...SERVICES, "gateway"]), directory);
  running.push(prometheus);
  const gone = new Set<string>();
  const setGone = async (names: readonly string[], isGone: boolean): Promise<void> => {
    for (const name of names) isGone ? gone.add(name) : gone.delete(name);
    await prometheus.setTargets(targetsOf(cluster.members, gone));
  };
  await setGone([], false);
  const watch = watchAlerts(prometheus, progress);
  running.push(watch);
  await sleep(CALM_MS);
  await prometheus.addPast(await pastOf(prometheus.query), startedAt);
  await sleep(CALM_MS);
  const world = { cluster, load, receiver, setGone };
  const groups = GROUPS.map((group) => group.filter((fault) => chosen.includes(fault)));
  const result = await runSignals(groups, world, watch, progress);
  process.stdout.write(`${formatSignals(result)}\n`);
}

/** The rules that the chart makes with a profile that has all of them. */
async function chartRules(): Promise<RuleGroup[]> {
  const helm = await findHelm();
  if (helm === undefined) throw new LocalError("helm can't be had.", "Install helm or Go.");
  const rules = (await render(helm, "production")).of("PrometheusRule");
  return rules.flatMap(({ spec }) => spec.groups ?? []);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const part of running.toReversed()) await part.stop();
}
