import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { cpuTime } from "./cpu.ts";
import { readRows } from "./download.ts";
import { fillRegister } from "./generated-register.ts";
import { accessToken, type BenchPlatform, startBenchPlatform } from "./platform.ts";

/**
 * The reports, facets, the export and bulk changes of a large register: the time of each report (goal: 2 s), of facets
 * (goal: 300 ms), of a change of 1,000 assets (goal: 2 s), and the memory of the processes during an export. Ends with 1
 * if the memory grows during the export.
 *
 *     node test/bench/large-register.ts --assets 1000000 [--data /tmp/million] reports facets export bulk-update
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { assets: { type: "string", default: "1000000" }, data: { type: "string" } },
});
const isChosen = (part: string): boolean => positionals.length === 0 || positionals.includes(part);
const ASSETS = Number(values.assets);
const ROUNDS = 3;
const IN_BULK = 1_000;
const SAMPLE_MS = 100;
const LOOK_MS = 1_000;
/** Of a core. */
const IDLE_SHARE = 0.15;
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

const bench = await startBenchPlatform(log, values.data === undefined ? {} : { keptDirectory: values.data });
try {
  await fillRegister(bench, ASSETS, log);
  print(`${ASSETS} assets, load ${loadavg()[0]?.toFixed(1)}`);
  if (isChosen("reports")) await timeReads(bench, reports);
  if (isChosen("facets")) await timeReads(bench, await facetsOf(bench));
  if (isChosen("bulk-update")) await timeBulkUpdates(bench);
  if (isChosen("export") && !(await isFlat(bench))) process.exitCode = 1;
} finally {
  await bench.stop();
}

/** All filters, with a value that some assets have. */
async function facetsOf({ userApi }: BenchPlatform): Promise<string[]> {
  const { data } = await userApi.get<{ data: Record<string, string>[] }>("/assets?per_page=1");
  const filters = ["status_id", "category_id", "location_id", "custodian_id"];
  const filtered = filters.map((name) => `/assets/facets?${name}=${data[0]?.[name]}`);
  return ["/assets/facets", ...filtered, "/assets/facets?q=acme", "/assets/facets?by=status&q=acme"];
}

async function timeReads({ demo }: BenchPlatform, paths: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${await accessToken(demo)}` };
  for (const path of paths) {
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

/** Changes 1,000 assets at once: their place and custodian, which are two rows and two events each, and their status. */
async function timeBulkUpdates({ userApi, platform, serverPids }: BenchPlatform): Promise<void> {
  const pids = {
    gateway: platform.gateway.pid(),
    register: platform.services.register?.pid() ?? 0,
    mongo: serverPids.mongo ?? 0,
  };
  const cpuOf = () =>
    Object.fromEntries(Object.entries(pids).map(([process, pid]) => [process, cpuTime(pid) ?? 0]));
  type Rows = { data: { id: string; key?: string }[] };
  const rowsOf = async (path: string) => (await userApi.get<Rows>(path)).data;
  const assetIds: string[] = [];
  for (let page = 1; assetIds.length < IN_BULK; page += 1) {
    assetIds.push(...(await rowsOf(`/assets?per_page=200&page=${page}`)).map(({ id }) => id));
  }
  const [locations, custodians, statuses] = [
    await rowsOf("/locations"),
    await rowsOf("/custodians"),
    (await rowsOf("/statuses")).filter(({ key }) => key === "in_use" || key === "in_stock"),
  ];
  const changes: Record<string, (round: number) => object> = {
    "place and custodian": (round) => ({
      location_id: locations[round]?.id,
      custodian_id: custodians[round]?.id,
    }),
    status: (round) => ({ status_id: statuses[round % 2]?.id }),
  };
  for (const [name, changeOf] of Object.entries(changes)) {
    const times: number[] = [];
    let before = cpuOf();
    for (let round = 0; round <= ROUNDS; round += 1) {
      // Each change is the only one: the services have handled the events of the one before.
      await settled(pids.mongo);
      if (round === 1) before = cpuOf();
      const started = performance.now();
      const body = { asset_ids: assetIds.slice(0, IN_BULK), change: changeOf(round) };
      const { results } = await userApi.post<{ results: { status: string }[] }>("/assets/bulk/update", body);
      times.push(performance.now() - started);
      const changed = results.filter(({ status }) => status === "changed").length;
      if (round > 0 && changed < IN_BULK * 0.9) throw new Error(`only ${changed} assets changed`);
    }
    const [first = 0, ...later] = times.map(Math.round);
    const cpu = Object.entries(cpuOf()).map(
      ([process, time]) => `${process} ${Math.round((time - (before[process] ?? 0)) / 1_000 / ROUNDS)} ms`,
    );
    print(`bulk-update, ${name} of ${IN_BULK}  first ${first} ms, then ${later.join(", ")} ms`);
    print(`  CPU time of each, with what follows from it: ${cpu.join(", ")}`);
  }
}

/** Waits until the database is as good as idle. */
async function settled(mongoPid: number): Promise<void> {
  const used = async (): Promise<number> => {
    const before = cpuTime(mongoPid) ?? 0;
    await setTimeout(LOOK_MS);
    return ((cpuTime(mongoPid) ?? 0) - before) / 1_000;
  };
  while ((await used()) > LOOK_MS * IDLE_SHARE) {}
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
    // Some of them are deleted.
    if (rows < ASSETS * 0.98) throw new Error(`the export has ${rows} rows only`);
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
