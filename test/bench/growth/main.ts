import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { cpuTime } from "../cpu.ts";
import { type BenchPlatform, startBenchPlatform } from "../platform.ts";
import { makeAssets, makeWorld, passPortals, READS_OF_A_PASSAGE, workAsUsers } from "./activity.ts";
import { growthOf, type PerUnit, sum, surplusOf } from "./arithmetic.ts";
import type { MeasuredGrowth, MeasuredPart } from "./measured.ts";
import { type Measured, measureWhenQuiet } from "./measured-sizes.ts";
import { growthTables, withTables } from "./tables.ts";

/**
 * What an asset, a read and a day of a user add to each collection and topic. `--write` makes the tables of SIZING.md
 * from the last run.
 *
 *     node test/bench/growth/main.ts --assets 2000 --passages 5 --user-days 200
 *     node test/bench/growth/main.ts --write
 */
const { values } = parseArgs({
  options: {
    assets: { type: "string", default: "2000" },
    passages: { type: "string", default: "5" },
    "user-days": { type: "string", default: "200" },
    write: { type: "boolean", default: false },
  },
});
const RESULT = path.join(import.meta.dirname, "measured.json");
const DOCUMENT = path.join(import.meta.dirname, "../../../deploy/helm/SIZING.md");

const IDLE_MS = 30_000;

const log = (line: string): void => void process.stderr.write(`${line}\n`);

if (values.write) {
  const measured: MeasuredGrowth = JSON.parse(readFileSync(RESULT, "utf8"));
  writeFileSync(DOCUMENT, withTables(readFileSync(DOCUMENT, "utf8"), growthTables(measured)));
} else {
  const bench = await startBenchPlatform(log);
  try {
    const measured = await measureGrowth(bench);
    writeFileSync(RESULT, `${JSON.stringify(measured, null, 2)}\n`);
    process.stdout.write(`${growthTables(measured)}\n`);
  } finally {
    await bench.stop();
  }
}

async function measureGrowth(bench: BenchPlatform): Promise<MeasuredGrowth> {
  const [assets, passages, userDays] = [values.assets, values.passages, values["user-days"]].map(Number);
  if (!assets || !passages || !userDays) throw new Error("--assets, --passages and --user-days are numbers");
  const world = await makeWorld(bench);
  // The first ones fill caches, create collections, and have their blocks in the files.
  await makeAssets(bench, world, 100);
  const start = await measureWhenQuiet(bench);
  log(`${assets} assets`);
  const tagged = await makeAssets(bench, world, assets, 100);
  const created = await measureWhenQuiet(bench);
  log("the first passage");
  await passPortals(bench, world, tagged, { from: 0, passages: 1 });
  const first = await measureWhenQuiet(bench);
  const idle = await cpuOf(bench, () => sleep(IDLE_MS));
  log(`${passages} passages`);
  let [reads, read] = [0, first];
  const busy = await cpuOf(bench, async () => {
    reads = await passPortals(bench, world, tagged, { from: 1, passages });
    read = await measureWhenQuiet(bench);
  });
  const cpuUsOfARead = perRead(idle, busy, reads);
  log(`${userDays} days of users`);
  await workAsUsers(bench, world, tagged, userDays);
  const worked = await measureWhenQuiet(bench);
  return {
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[0] ?? 0,
    ...{ assets, reads, userDays, cpuUsOfARead },
    parts: partsOf({ start, created, first, read, worked }, { assets, reads, userDays }),
  };
}

type Moments = Record<"start" | "created" | "first" | "read" | "worked", Measured>;

function partsOf(
  { start, created, first, read, worked }: Moments,
  { assets, reads, userDays }: { assets: number; reads: number; userDays: number },
): MeasuredPart[] {
  const names = [...worked.sizes.keys()].toSorted();
  return names.map((name) => {
    const growth = (from: Measured, to: Measured, units: number) =>
      growthOf(name, from.sizes, to.sizes, units);
    const ofRead = growth(first, read, reads);
    const units: PerUnit = {
      asset: sum(
        growth(start, created, assets),
        surplusOf(growth(created, first, assets), ofRead, READS_OF_A_PASSAGE),
      ),
      read: ofRead,
      userDay: growth(read, worked, userDays),
    };
    const days = worked.expiryDays.get(name);
    return { name, ...units, ...(days !== undefined && { kept: { days, by: "expiry" } }) };
  });
}

type CpuTimes = { milliseconds: number; us: Record<string, number> };

/** The CPU time of each process while something runs. */
async function cpuOf(bench: BenchPlatform, work: () => Promise<unknown>): Promise<CpuTimes> {
  const [before, started] = [cpuTimes(bench), performance.now()];
  await work();
  const us = Object.entries(cpuTimes(bench)).map(([name, us]) => [name, us - (before[name] ?? 0)] as const);
  return { milliseconds: performance.now() - started, us: Object.fromEntries(us) };
}

function cpuTimes({ platform, serverPids }: BenchPlatform): Record<string, number> {
  const pids = {
    gateway: platform.gateway.pid(),
    ...Object.fromEntries(Object.entries(platform.services).map(([name, { pid }]) => [name, pid()])),
    ...serverPids,
  };
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuTime(pid) ?? 0]));
}

/** Without what the processes use when they are idle. */
function perRead(idle: CpuTimes, busy: CpuTimes, reads: number): Record<string, number> {
  const share = busy.milliseconds / idle.milliseconds;
  return Object.fromEntries(
    Object.entries(busy.us).map(([name, us]) => [
      name,
      Math.max(0, us - (idle.us[name] ?? 0) * share) / reads,
    ]),
  );
}
