import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["test/harness/global-setup.ts"],
    include: ["**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // One more than the two cores of CI: tests of faults wait more than they compute.
    maxWorkers: 3,
    // A worker keeps the modules that it has loaded for its next file: loading them anew took 1.3 s of CPU.
    isolate: false,
    // kafkajs computes negative time-outs; the warning says nothing about a test.
    execArgv: ["--disable-warning=TimeoutNegativeWarning"],
    reporters: ["default", "./test/harness/count-reporter.ts"],
  },
});
