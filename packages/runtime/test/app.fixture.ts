import { once } from "node:events";
import { z } from "zod";
import { type App, loadConfig, runApp } from "../src/index.ts";

/** A process for lifecycle.test.ts. Its first argument selects its behaviour. */
const behaviour = process.argv[2];

function buildApp(): App {
  if (behaviour === "misconfigured") loadConfig(z.object({ MISSING_ONE: z.string() }), {});
  const alive = setInterval(() => undefined, 1000);
  return {
    shutdownTimeoutMs: behaviour === "hangs" ? 150 : 60_000,
    start: async () => {
      if (behaviour === "fails") throw new Error("cannot start");
      process.stderr.write("started\n");
      if (behaviour === "finishes") return "finished";
      if (behaviour === "throws") setImmediate(() => Promise.reject(new Error("not caught")));
      return undefined;
    },
    stop: async () => {
      process.stderr.write("stopping\n");
      if (behaviour === "throws late") void Promise.reject(new Error("not caught"));
      if (behaviour === "throws late" || behaviour === "is slow") await once(process.stdin.resume(), "end");
      if (behaviour === "hangs") await new Promise(() => undefined);
      clearInterval(alive);
    },
  };
}

await runApp(buildApp);

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    process.stderr.write(`received ${signal}\n`);
    // Sets the clock: the next signal of the test comes two seconds later, or immediately.
    const next = performance.now() + (process.argv[3] === "later" ? 2_000 : 0);
    performance.now = () => next;
  });
}
