import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take minutes, the longest first. */
const LONG = ["test/platform.it.test.ts", "test/chaos/", "deploy/helm/test/chart"];

/**
 * Begins with the long files, so that none of them is alone at the end. Files of one folder follow each other, because a
 * worker keeps the service that they share until another one is needed.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((name) => moduleId.includes(`/${name}`));
      return found < 0 ? LONG.length : found;
    };
    const folder = ({ moduleId }: TestSpecification): string => path.dirname(moduleId);
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b) || folder(a).localeCompare(folder(b)));
  }
}

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
    sequence: { sequencer: LongFirst },
    // kafkajs computes negative time-outs. The warning does not concern the tests.
    execArgv: ["--disable-warning=TimeoutNegativeWarning"],
    reporters: [
      "default",
      "./test/suite/count-reporter.ts",
      ...(process.env.TEST_COST ? ["./test/suite/cost-reporter.ts"] : []),
    ],
    setupFiles: process.env.TEST_COST ? ["test/suite/cost-setup.ts"] : [],
  },
});
