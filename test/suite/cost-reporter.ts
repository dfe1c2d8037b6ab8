import { createHmac, createSecretKey } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { CpuByProcess } from "./cpu-by-process.ts";

/** Kept out of git, for comparison with the next run. */
const FILE = ".local/test-cost.json";
const SHOWN = 30;
/** Of the machine of the budget; see "What the machine can do" in performance.md. */
const BUDGET_SIGNATURES = 520_000;
const MEASURED_MS = 500;

/** Prints where the CPU time of a run goes, by process and by test file, and keeps it as JSON. For `npm test -- --cost`. */
class CostReporter implements Reporter {
  readonly #cpu = new CpuByProcess();

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({
        file: module.relativeModuleId,
        cpuSeconds: rounded(module.meta().cpuSeconds ?? 0),
        seconds: rounded(module.diagnostic().duration / 1_000),
      }))
      .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
    // At exit, after the servers have stopped.
    process.on("exit", () => {
      const processes = this.#cpu.stop().map(([name, seconds]) => ({ name, cpuSeconds: rounded(seconds) }));
      mkdirSync(path.dirname(FILE), { recursive: true });
      const signatures = signaturesPerSecond();
      writeFileSync(FILE, JSON.stringify({ signatures, processes, files }, undefined, 2));
      print("CPU seconds by process", processes);
      print("CPU seconds by test file, without servers and processes", files);
      process.stdout.write(`All of them: ${FILE}\n`);
      process.stdout.write(
        `This machine makes ${signatures} signatures a second, that of the budget ${BUDGET_SIGNATURES}.\n`,
      );
    });
  }
}

/** HMAC-SHA256 of one core, to compare the CPU time with the budget, which is that of another machine. */
function signaturesPerSecond(): number {
  const key = createSecretKey(Buffer.alloc(32, "k"));
  const until = performance.now() + MEASURED_MS;
  let made = 0;
  for (; performance.now() < until; made += 1) createHmac("sha256", key).update("text").digest();
  return Math.round((made * 1_000) / MEASURED_MS);
}

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;

function print(title: string, rows: { cpuSeconds: number; name?: string; file?: string }[]): void {
  const lines = rows
    .slice(0, SHOWN)
    .map(({ cpuSeconds, name, file }) => `${String(cpuSeconds).padStart(8)}  ${name ?? file}`);
  process.stdout.write(`${title}\n${lines.join("\n")}\n`);
}

export default CostReporter;
