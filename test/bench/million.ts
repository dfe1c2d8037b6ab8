import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createUserApi } from "@asset-register/harness/client";
import mongoose from "mongoose";
import { fillRegister } from "./generated-register.ts";
import { type ListCase, listCases } from "./list-cases.ts";
import { type BenchPlatform, registerDatabase, startBenchPlatform } from "./platform.ts";
import { readRaw } from "./raw-lists.ts";

/**
 * Lists, searches and facets of a large register with many words, each beside the same query of the driver. With --data,
 * the register is built once and measured again by later runs.
 *
 *     node test/bench/million.ts --assets 1000000 --data /tmp/million [--only "q:"] [--label before]
 */
const { values } = parseArgs({
  options: {
    assets: { type: "string", default: "1000000" },
    data: { type: "string" },
    only: { type: "string", default: "" },
    requests: { type: "string", default: "15" },
    label: { type: "string", default: "million" },
  },
});
const REQUESTS = Number(values.requests);
const RAW_REQUESTS = 5;

type Figures = {
  name: string;
  first: number;
  p50: number;
  p95: number;
  raw: number;
  failed: string | undefined;
};

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const bench = await startBenchPlatform(log, values.data === undefined ? {} : { keptDirectory: values.data });
try {
  await fillRegister(bench, Number(values.assets), log);
  const cases = (await listCases(bench)).filter(({ name }) => name.includes(values.only));
  const figures = await measureAll(bench, cases);
  const directory = path.join(import.meta.dirname, "results");
  mkdirSync(directory, { recursive: true });
  const result = { assets: Number(values.assets), load: loadavg()[0], figures };
  writeFileSync(path.join(directory, `${values.label}.json`), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await bench.stop();
}

async function measureAll(bench: BenchPlatform, cases: readonly ListCase[]): Promise<Figures[]> {
  const { demo, mongoUrl } = bench;
  const api = createUserApi(demo.base_url, demo);
  const client = await new mongoose.mongo.MongoClient(mongoUrl).connect();
  const assets = client.db(registerDatabase(bench)).collection<{ _id: string }>("assets");
  const figures: Figures[] = [];
  print(`${values.assets} assets, load ${loadavg()[0]?.toFixed(1)}`);
  const ours = cases.map((): Timed => ({ times: [], failed: undefined }));
  try {
    // Each case once in a round: a total that the round before has counted is no longer in a cache.
    for (let round = 0; round <= REQUESTS; round += 1) {
      log(`round ${round} of ${REQUESTS}`);
      for (const [index, { paths }] of cases.entries()) {
        await measureOnce(ours[index], paths[round % paths.length] ?? "", async (path) => {
          const { status } = await api.call("GET", path);
          if (status >= 300) throw new Error(String(status));
        });
      }
    }
    print("| Request | First (ms) | p50 | p95 | Raw | Ratio |\n|---|---|---|---|---|---|");
    for (const [index, { name, paths }] of cases.entries()) {
      const { times, failed } = ours[index] ?? { times: [], failed: "not measured" };
      const raw: Timed = { times: [], failed: undefined };
      for (let count = 0; count < RAW_REQUESTS; count += 1) {
        const path = paths[count % paths.length] ?? "";
        await measureOnce(raw, path, () => readRaw(assets, demo.workspace_id, path));
      }
      const [first = 0, ...later] = times;
      const figure = {
        ...{ name, first, p50: quantile(later, 0.5), p95: quantile(later, 0.95) },
        ...{ raw: raw.failed ? Number.NaN : quantile(raw.times, 0.5), failed },
      };
      figures.push(figure);
      print(formatted(figure));
    }
  } finally {
    await client.close();
  }
  return figures;
}

type Timed = { times: number[]; failed: string | undefined };

/** A request that has failed once is not sent again: it takes 5 s each time. */
async function measureOnce(
  timed: Timed | undefined,
  path: string,
  send: (path: string) => Promise<unknown>,
): Promise<void> {
  if (timed === undefined || timed.failed !== undefined) return;
  const started = performance.now();
  try {
    await send(path);
    timed.times.push(performance.now() - started);
  } catch (error) {
    timed.failed = error instanceof Error ? error.message.slice(0, 40) : "failed";
  }
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A ratio of 1 is as fast as the driver. */
function formatted({ name, first, p50, p95, raw, failed }: Figures): string {
  const ms = (time: number): string => (Number.isNaN(time) ? "over 5 s" : time.toFixed(time < 10 ? 1 : 0));
  if (failed !== undefined) return `| ${name} | **${failed}** | | | ${ms(raw)} | |`;
  return `| ${name} | ${ms(first)} | ${ms(p50)} | ${ms(p95)} | ${ms(raw)} | ${(raw / p50).toFixed(2)} |`;
}
