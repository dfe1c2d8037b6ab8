import { signEvent } from "@asset-register/harness/client";
import type { Prepared, Side } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaderRotation, ingestProcesses, readSource, runApiRoleOnly } from "./readers.ts";

const READERS = 50;

/** Single signed events on surface A. */
export async function ingestSingle(bench: BenchPlatform): Promise<Prepared> {
  const nextReader = await createReaderRotation(bench, READERS);
  const undo = await runApiRoleOnly(bench);
  const bare = await startBaseline("baseline-event-route.ts");
  const read = readSource();
  const load = (origin: string, servers: () => Record<string, number>): Side =>
    httpLoad({
      origin,
      processes: () => ({ client: process.pid, ...servers() }),
      inFlight: 256,
      expected: 202,
      next: () => ({
        method: "POST",
        path: "/v1/reader-events",
        headers: { "content-type": "application/json", authorization: `Bearer ${bench.demo.api_key}` },
        body: JSON.stringify(signEvent(nextReader(), read())),
      }),
    });
  return {
    benchmark: {
      name: "ingest-single",
      work: "POST /v1/reader-events, one signed event each, 256 in flight; baseline: bare Fastify route, same schema",
      goal: 0.4,
      ours: load(bench.demo.base_url, () => ({ ...ingestProcesses(bench), ...bench.serverPids })),
      baseline: load(bare.origin, () => ({ route: bare.pid })),
    },
    stop: async () => {
      await bare.stop();
      await undo();
    },
  };
}
