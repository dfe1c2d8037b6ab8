/**
 * Changes the code in small ways and reports the changes that no unit test notices:
 * `npm run mutate -- [--files] [--incremental] [--quick] [--concurrency=1] KIND|FOLDER|FILE...`. README.md describes it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { KINDS, REQUIRED } from "./kinds.ts";
import { type Mutant, percentOf, readReport, scoresOf, survivorsOf } from "./score.ts";

const FOLDER = ".local/mutation";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: "boolean" },
    incremental: { type: "boolean" },
    quick: { type: "boolean" },
    concurrency: { type: "string", default: "2" },
  },
});
if (positionals.length === 0) {
  process.stderr.write(`Name a folder, a file or one of ${Object.keys(KINDS).join(", ")}.\n`);
  process.exit(1);
}
const kept = `${FOLDER}/${positionals.map((name) => name.replaceAll("/", "_")).join("+")}`;
runStryker();
report(readReport(readFileSync(`${kept}.json`, "utf8")));

function runStryker(): void {
  const options = {
    mutate: [...positionals.flatMap(patternsOf), "!**/*.test.ts"],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "test/mutate/vitest.config.ts" },
    concurrency: Number(values.concurrency),
    // A machine under load must not make a slow test look like a change that was noticed.
    timeoutMS: 10_000,
    tempDirName: `${FOLDER}/sandboxes`,
    ignorePatterns: [".local", "deploy", "**/*.it.test.ts"],
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: `${kept}.json` },
    incremental: values.incremental ?? false,
    incrementalFile: `${kept}.incremental.json`,
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${kept}.options.json`, JSON.stringify(options, undefined, 2));
  const env = { ...process.env, ...(values.quick && { WITHOUT_PROPERTIES: "1" }) };
  const { status } = spawnSync("stryker", ["run", `${kept}.options.json`], { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}

function patternsOf(name: string): readonly string[] {
  const kind = KINDS[name];
  if (kind !== undefined) return kind;
  return statSync(name).isDirectory() ? [`${name.replace(/\/$/, "")}/**/*.ts`] : [name];
}

function report(mutants: readonly Mutant[]): void {
  for (const { fileName, location, status, mutatorName, replacement } of survivorsOf(mutants)) {
    const { line, column } = location.start;
    const change = replacement?.replaceAll(/\s+/g, " ");
    process.stdout.write(`${fileName}:${line}:${column} ${status} ${mutatorName}: ${change}\n`);
  }
  const scores = scoresOf(mutants, values.files ? "file" : "folder");
  for (const score of scores) {
    const { folder, found, all } = score;
    process.stdout.write(`${percentOf(score).toFixed(1).padStart(6)} %  ${found} of ${all}  ${folder}\n`);
  }
  if (scores.some((score) => percentOf(score) < REQUIRED)) process.exitCode = 1;
}
