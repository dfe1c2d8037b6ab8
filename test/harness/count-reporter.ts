import { readFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** Ends the output with the run's CPU time, and with "N passed, N failed" alone on the last line, which CI reads. */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const skipped = count.skipped + count.pending;
    // On exit, when the servers have stopped: they are children too.
    process.on("exit", () => {
      const cpu = cpuSeconds();
      if (cpu !== undefined) process.stdout.write(`CPU time: ${Math.round(cpu)} s, servers included\n`);
      process.stdout.write(
        `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
      );
    });
  }
}

/** The CPU time of this process and of its children that have ended, from proc(5); undefined where there is no /proc. */
function cpuSeconds(): number | undefined {
  try {
    // The name of the program is in parentheses and may hold spaces. utime is the 14th field, cstime the 17th.
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
