import { z } from "zod";
import { type App, loadConfig, runApp } from "../src/index.ts";

/** A process for lifecycle.test.ts: its first argument says how it behaves. */
const behaviour = process.argv[2];

function buildApp(): App {
  if (behaviour === "misconfigured") loadConfig(z.object({ MISSING_ONE: z.string() }), {});
  const alive = setInterval(() => undefined, 1000);
  return {
    start: async () => {
      if (behaviour === "fails") throw new Error("cannot start");
      process.stderr.write("started\n");
      if (behaviour === "throws") setImmediate(() => Promise.reject(new Error("nobody caught me")));
    },
    stop: async () => {
      process.stderr.write("stopping\n");
      if (behaviour === "hangs") await new Promise(() => undefined);
      clearInterval(alive);
    },
  };
}

await runApp(buildApp, { stopTimeoutMs: 300 });
