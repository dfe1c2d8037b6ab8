import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["test/harness/global-setup.ts"],
    include: ["**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    // One more than the two cores of CI, because fault tests mostly wait.
    maxWorkers: 3,
    // A worker keeps its loaded modules for the next test file. Loading them again would use 1.3 s of CPU per file.
    isolate: false,
    // kafkajs computes negative time-outs. The warning does not concern the tests.
    execArgv: ["--disable-warning=TimeoutNegativeWarning"],
    reporters: ["default", "./test/harness/count-reporter.ts"],
  },
});
