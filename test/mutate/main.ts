/**
 * Changes the code in small ways and reports the changes that no unit test notices:
 * `npm run mutate -- [--files] [--incremental] KIND|FOLDER|FILE...`. README.md describes it.
 */
import { statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { KINDS, REQUIRED } from "./kinds.ts";
import { type Mutant, percentOf, scoresOf, survivorsOf } from "./score.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: "boolean" }, incremental: { type: "boolean" } },
});
const kept = `.local/mutation/${positionals.map((name) => name.replaceAll("/", "_")).join("+")}`;
const root = path.resolve();

function patternsOf(name: string): readonly string[] {
  const kind = KINDS[name];
  if (kind !== undefined) return kind;
  return statSync(name).isDirectory() ? [`${name.replace(/\/$/, "")}/**/*.ts`] : [name];
}

async function main(): Promise<void> {
  if (positionals.length === 0) {
    throw new Error(`Name a folder, a file or one of ${Object.keys(KINDS).join(", ")}.`);
  }
  const results = await new Stryker({
    mutate: [...positionals.flatMap(patternsOf), "!**/*.test.ts"],
    plugins: [import.meta.resolve("@stryker-mutator/vitest-runner")],
    testRunner: "vitest",
    vitest: { configFile: "test/mutate/vitest.config.ts" },
    concurrency: 2,
    // A machine under load must not make a slow test look like a change that was noticed.
    timeoutMS: 10_000,
    tempDirName: ".local/mutation/sandboxes",
    ignorePatterns: [".local", "deploy", "**/*.it.test.ts"],
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: `${kept}.json` },
    incremental: values.incremental ?? false,
    incrementalFile: `${kept}.incremental.json`,
  }).runMutationTest();
  report(results.map((result) => ({ ...result, fileName: path.relative(root, result.fileName) })));
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

await main();
