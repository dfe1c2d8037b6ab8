import { signBatch } from "@asset-register/harness/client";
import { bareKafka } from "./bare-kafka.ts";
import type { Prepared } from "./benchmark.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaderRotation, ingestProcesses, readSource, runApiRoleOnly } from "./readers.ts";

const EVENTS_IN_BATCH = 100;
const IN_FLIGHT = 32;

/** Signed batches of 100 events on surface B. */
export async function ingestBatch(bench: BenchPlatform): Promise<Prepared> {
  const nextReader = await createReaderRotation(bench, IN_FLIGHT);
  const undo = await runApiRoleOnly(bench);
  const read = readSource();
  const kafka = await bareKafka(bench, { perSend: EVENTS_IN_BATCH, read });
  return {
    benchmark: {
      name: "ingest-batch",
      work: "events of signed batches of 100 to /ingest/events, 32 in flight; baseline: kafkajs, idempotent, acks=all, 100 per send, one record per event",
      goal: 3,
      baseline: kafka.side,
      ours: httpLoad({
        origin: bench.demo.base_url,
        processes: () => ({ client: process.pid, ...ingestProcesses(bench), ...bench.serverPids }),
        inFlight: IN_FLIGHT,
        perRequest: EVENTS_IN_BATCH,
        expected: 202,
        next: () => {
          const body = JSON.stringify({ events: Array.from({ length: EVENTS_IN_BATCH }, read) });
          return {
            method: "POST",
            path: "/asset_manager_api/ingest/events",
            headers: { "content-type": "application/json", ...signBatch(nextReader(), body) },
            body,
          };
        },
      }),
    },
    stop: async () => {
      await kafka.stop();
      await undo();
    },
  };
}
