import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** CPU seconds of the worker during a test file, without those of servers and processes. */
    cpuSeconds?: number;
  }
}

const start = process.cpuUsage();

// vitest wants a destructured first argument.
// biome-ignore lint/correctness/noEmptyPattern: nothing of it is needed
afterAll(({}, suite) => {
  const { user, system } = process.cpuUsage(start);
  suite.meta.cpuSeconds = (user + system) / 1e6;
});
