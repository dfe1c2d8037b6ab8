import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildConsole } from "@asset-register/local";
import { formatResult, measure, type Prepared, type Survey } from "./benchmark.ts";
import { benchmarks } from "./benchmarks.ts";
import { startBenchPlatform } from "./platform.ts";

const RESULTS = path.join(import.meta.dirname, "results");

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "4" },
    "warm-up": { type: "string", default: "15" },
  },
});
const rounds = {
  rounds: Number(values.rounds),
  milliseconds: Number(values.seconds) * 1000,
  warmUp: Number(values["warm-up"]) * 1000,
};
const selected = Object.entries(benchmarks).filter(([name]) => names.length === 0 || names.includes(name));
if (selected.length === 0) {
  progress(`There is no such benchmark. Benchmarks: ${Object.keys(benchmarks).join(", ")}.`);
  process.exit(2);
}

// Only this one opens pages, and a build takes a while.
const consoleDirectory = selected.some(([name]) => name === "console")
  ? await buildConsole(progress)
  : undefined;
const platform = await startBenchPlatform(
  progress,
  consoleDirectory === undefined ? {} : { consoleDirectory },
);
try {
  mkdirSync(RESULTS, { recursive: true });
  for (const [name, prepare] of selected) {
    const prepared: Prepared | Survey = await prepare(platform);
    try {
      const { result, text } = await run(prepared);
      writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
      process.stdout.write(`${text}\n`);
    } finally {
      await prepared.stop();
    }
  }
} finally {
  await platform.stop();
}

async function run(prepared: Prepared | Survey): Promise<{ result: object; text: string }> {
  if ("survey" in prepared) {
    const { lines, ...result } = await prepared.survey(rounds.rounds, progress);
    return { result, text: lines.join("\n") };
  }
  const result = await measure(prepared.benchmark, rounds, progress);
  return { result, text: formatResult(result) };
}
