import { type ReaderKey, signBatch } from "@asset-register/harness/client";
import type { Prepared, Side } from "./benchmark.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaders, ingestProcesses, readSource, rotate, runApiRoleOnly } from "./readers.ts";

const FEW = 10;
const MANY = 10_000;
const EVENTS_IN_BATCH = 100;

/** The cost of an event does not depend on the number of readers: signatures, limits, claims and liveness included. */
export async function manyReaders(bench: BenchPlatform): Promise<Prepared> {
  const readers = await createReaders(bench, MANY);
  const undo = await runApiRoleOnly(bench);
  const read = readSource();
  const load = (own: ReaderKey[]): Side => {
    const next = rotate(own);
    return httpLoad({
      origin: bench.demo.base_url,
      processes: () => ({ client: process.pid, ...ingestProcesses(bench), ...bench.serverPids }),
      inFlight: 32,
      perRequest: EVENTS_IN_BATCH,
      expected: 202,
      next: () => {
        const body = JSON.stringify({ events: Array.from({ length: EVENTS_IN_BATCH }, read) });
        return {
          method: "POST",
          path: "/asset_manager_api/ingest/events",
          headers: { "content-type": "application/json", ...signBatch(next(), body) },
          body,
        };
      },
    });
  };
  return {
    benchmark: {
      name: "readers-10-to-10000",
      work: `CPU time of an event in signed batches of ${EVENTS_IN_BATCH}, servers included, from ${MANY} readers; baseline: from ${FEW}`,
      compared: "cpu",
      goal: 1.3,
      ours: load(readers),
      baseline: load(readers.slice(0, FEW)),
    },
    stop: undo,
  };
}
