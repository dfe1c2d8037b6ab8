import { defineConfig } from "vitest/config";

/** The unit tests only, and without the servers that `vitest.config.ts` of the root starts. */
export default defineConfig({
  test: {
    include: ["{packages,services}/*/src/**/*.test.ts", "gateway/src/**/*.test.ts", "test/mutate/*.test.ts"],
    // The same as for all tests: a machine under load must not make a test fail.
    testTimeout: 180_000,
    exclude: [
      ...["**/node_modules/**", "**/*.it.test.ts"],
      // With --quick.
      ...(process.env.WITHOUT_PROPERTIES ? ["**/*.properties.test.ts"] : []),
    ],
  },
});
