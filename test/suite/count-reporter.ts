import { readFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/**
 * Prints the tests that passed only when they were repeated, the run's CPU time and, as the last line,
 * "N passed, N failed", which CI parses.
 */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const repeated: string[] = [];
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        if (test.diagnostic()?.flaky) repeated.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    for (const name of repeated) process.stdout.write(`Failed once, passed when repeated: ${name}\n`);
    const skipped = count.skipped + count.pending;
    // At exit, after the servers have stopped: their CPU time counts as that of ended children.
    process.on("exit", () => {
      const cpu = cpuSeconds();
      if (cpu !== undefined) process.stdout.write(`CPU time: ${Math.round(cpu)} s, servers included\n`);
      process.stdout.write(
        `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
      );
    });
  }
}

/** The CPU time in seconds of this process and its ended children, from proc(5). Undefined without /proc. */
function cpuSeconds(): number | undefined {
  try {
    // The program's name is in parentheses and may contain spaces. utime is field 14, cstime field 17.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (
      (fields
        .slice(11, 15)
        .map(Number)
        .reduce((sum, ticks) => sum + ticks, 0) *
        TICK_MS) /
      1000
    );
  } catch {
    return undefined;
  }
}

export default CountReporter;
