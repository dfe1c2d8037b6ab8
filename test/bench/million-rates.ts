import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { KINDS, middleWord, tailWord } from "./asset-words.ts";
import { formatResult, measure, type Side } from "./benchmark.ts";
import { type Baseline, startBaseline } from "./child.ts";
import { fillRegister } from "./generated-register.ts";
import { httpLoad, type LoadRequest } from "./load.ts";
import { accessToken, type BenchPlatform, registerDatabase, startBenchPlatform } from "./platform.ts";

/**
 * Requests a second at a large register, 32 in flight: get, list of 25, search and create, each beside the same query by the
 * driver behind a bare Fastify route. The goal is a ratio of 0.5, and a higher rate than Homebox has with 1,000 items.
 *
 *     node test/bench/million-rates.ts --assets 1000000 --data /tmp/million
 */
const { values } = parseArgs({
  options: {
    assets: { type: "string", default: "1000000" },
    data: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
  },
});
const IN_FLIGHT = 32;
const GOAL = 0.5;
const WARM_UP_MS = 8_000;
/** Of performance.md, requests a second with 1,000 items. */
const HOMEBOX = { get: 649, list: 322, search: 197, create: 307 };

type Name = keyof typeof HOMEBOX;

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const bench = await startBenchPlatform(log, values.data === undefined ? {} : { keptDirectory: values.data });
try {
  await fillRegister(bench, Number(values.assets), log);
  const bare = await startBaseline("baseline-raw-assets.ts", {
    ...{
      MONGO_URL: bench.mongoUrl,
      DATABASE: registerDatabase(bench),
      WORKSPACE_ID: bench.demo.workspace_id,
    },
  });
  try {
    await measureAll(bench, bare);
  } finally {
    await bare.stop();
  }
} finally {
  await bench.stop();
}

async function measureAll(bench: BenchPlatform, bare: Baseline): Promise<void> {
  process.stdout.write(`${values.assets} assets, load ${loadavg()[0]?.toFixed(1)}\n`);
  const requests = await requestsOf(bench);
  const results: object[] = [];
  for (const name of Object.keys(HOMEBOX) as Name[]) {
    const benchmark = {
      ...{ name: `million-${name}`, work: `${name} with ${values.assets} assets`, goal: GOAL },
      ours: ourSide(bench, requests[name]),
      baseline: bareSide(bench, bare, requests[name]),
    };
    const rounds = { rounds: Number(values.rounds), milliseconds: Number(values.seconds) * 1_000 };
    const result = await measure(benchmark, { ...rounds, warmUp: WARM_UP_MS }, log);
    results.push(result);
    process.stdout.write(`${formatResult(result)}\n  Homebox with 1,000 items: ${HOMEBOX[name]}/s\n`);
  }
  const directory = path.join(import.meta.dirname, "results");
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, "million-rates.json"), `${JSON.stringify(results, null, 2)}\n`);
}

/** The paths are those of surface B, which the bare routes have too. */
async function requestsOf({ userApi }: BenchPlatform): Promise<Record<Name, () => LoadRequest>> {
  const { data } = await userApi.get<{ data: { id: string }[] }>("/assets?per_page=200&page=50");
  const words = Array.from({ length: 15 }, (_, index) => [
    ...[tailWord(4_000 + index * 7), middleWord(index * 31), KINDS[index] ?? ""],
  ]).flat();
  const inTurn = (paths: readonly string[]) => {
    let turn = 0;
    return (): LoadRequest => {
      turn += 1;
      return { method: "GET", path: paths[turn % paths.length] ?? "" };
    };
  };
  return {
    get: inTurn(data.map(({ id }) => `/assets/${id}`)),
    list: inTurn(["/assets?per_page=25"]),
    search: inTurn(words.map((word) => `/assets?per_page=25&q=${word}`)),
    create: () => ({
      ...{ method: "POST", path: "/assets", body: JSON.stringify({ name: "Bench drill" }) },
      headers: { "content-type": "application/json" },
    }),
  };
}

function statusOf(next: () => LoadRequest): number {
  return next().method === "POST" ? 201 : 200;
}

function ourSide(bench: BenchPlatform, next: () => LoadRequest): Side {
  const { demo, platform, serverPids } = bench;
  let authorization = "";
  const load = httpLoad({
    ...{ origin: demo.base_url, inFlight: IN_FLIGHT, expected: statusOf(next) },
    next: () => {
      const request = next();
      const headers = { ...request.headers, authorization };
      return { ...request, path: `/asset_manager_api${request.path}`, headers };
    },
    processes: () => ({
      ...{ client: process.pid, gateway: platform.gateway.pid() },
      ...{ register: platform.services.register?.pid() ?? 0, ...serverPids },
    }),
  });
  return {
    ...load,
    async prepare(milliseconds) {
      authorization = `Bearer ${await accessToken(demo)}`;
      load.prepare?.(milliseconds);
    },
  };
}

function bareSide({ serverPids }: BenchPlatform, bare: Baseline, next: () => LoadRequest): Side {
  return httpLoad({
    ...{ origin: bare.origin, inFlight: IN_FLIGHT, expected: statusOf(next), next },
    processes: () => ({ client: process.pid, route: bare.pid, ...serverPids }),
  });
}
