import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { readRows } from "./download.ts";
import { addAssets } from "./many-assets.ts";
import { accessToken, type BenchPlatform, startBenchPlatform } from "./platform.ts";

/**
 * The reports and the export of a large register: the time of each report (goal: 2 s), and the memory of the processes
 * during an export. Ends with 1 if the memory grows during the export.
 *
 *     node test/bench/large-register.ts --assets 1000000 reports export
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { assets: { type: "string", default: "1000000" } },
});
const isChosen = (part: string): boolean => positionals.length === 0 || positionals.includes(part);
const ASSETS = Number(values.assets);
const ROUNDS = 3;
const SAMPLE_MS = 100;
/** The growth that garbage collection explains. All rows are several times as large. */
const GROWTH_MIB = 64;

const reports = [
  "/reports/register",
  "/reports/by-location",
  "/reports/by-location?rollup=true",
  "/reports/by-custodian",
  "/reports/by-category",
];

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const bench = await startBenchPlatform(log);
try {
  await addAssets(bench, ASSETS, log);
  print(`${ASSETS} assets, load ${loadavg()[0]?.toFixed(1)}`);
  if (isChosen("reports")) await timeReports(bench);
  if (isChosen("export") && !(await isFlat(bench))) process.exitCode = 1;
} finally {
  await bench.stop();
}

async function timeReports({ demo }: BenchPlatform): Promise<void> {
  const headers = { authorization: `Bearer ${await accessToken(demo)}` };
  for (const path of reports) {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const started = performance.now();
      const answer = await fetch(`${demo.base_url}/asset_manager_api${path}`, { headers });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${text}`);
      times.push(performance.now() - started);
    }
    const [first = 0, ...later] = times.map(Math.round);
    print(`${path}  first ${first} ms, then ${later.join(", ")} ms`);
  }
}

/** Exports twice. The first export warms the processes up; in the second one the memory must not grow. */
async function isFlat({ demo, platform }: BenchPlatform): Promise<boolean> {
  const pids = { gateway: platform.gateway.pid(), register: platform.services.register?.pid() ?? 0 };
  const url = `${demo.base_url}/asset_manager_api/export/register.csv`;
  const peaks = { early: { gateway: 0, register: 0 }, late: { gateway: 0, register: 0 } };
  for (const isMeasured of [false, true]) {
    const headers = { authorization: `Bearer ${await accessToken(demo)}` };
    const started = performance.now();
    let nextSample = 0;
    const rows = await readRows(url, headers, (read) => {
      if (!isMeasured || performance.now() < nextSample) return false;
      nextSample = performance.now() + SAMPLE_MS;
      const peak = read < ASSETS / 5 ? peaks.early : peaks.late;
      peak.gateway = Math.max(peak.gateway, memoryOf(pids.gateway));
      peak.register = Math.max(peak.register, memoryOf(pids.register));
      return false;
    });
    if (rows < ASSETS) throw new Error(`the export has ${rows} rows only`);
    print(`export  ${Math.round((rows / (performance.now() - started)) * 1_000)} rows a second`);
  }
  const { early, late } = peaks;
  for (const name of ["gateway", "register"] as const) {
    print(`memory of ${name}  first fifth ${early[name]} MiB, then ${late[name]} MiB`);
  }
  return late.gateway - early.gateway < GROWTH_MIB && late.register - early.register < GROWTH_MIB;
}

/** The resident memory in MiB, on Linux. */
function memoryOf(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return Math.round((pages * 4) / 1024);
}
