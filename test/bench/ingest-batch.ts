import { signBatch } from "@asset-register/harness/client";
import { bareKafka } from "./bare-kafka.ts";
import type { Prepared } from "./benchmark.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";
import { accepting, acceptOnly, readersInTurn, readSource } from "./readers.ts";

const EVENTS_IN_BATCH = 100;
const IN_FLIGHT = 32;

/** Signed batches of 100, surface B. */
export async function ingestBatch(bench: BenchPlatform): Promise<Prepared> {
  const reader = await readersInTurn(bench, IN_FLIGHT);
  const undo = await acceptOnly(bench);
  const read = readSource();
  const kafka = await bareKafka(bench, { perSend: EVENTS_IN_BATCH, read });
  return {
    benchmark: {
      name: "ingest-batch",
      work: "events of signed batches of 100 to /ingest/events, 32 in flight; baseline: kafkajs, idempotent, acks=all, 100 a send, one record an event",
      goal: 3,
      baseline: kafka.side,
      ours: httpLoad({
        origin: bench.demo.base_url,
        processes: () => ({ client: process.pid, ...accepting(bench) }),
        inFlight: IN_FLIGHT,
        perRequest: EVENTS_IN_BATCH,
        expected: 202,
        next: () => {
          const body = JSON.stringify({ events: Array.from({ length: EVENTS_IN_BATCH }, read) });
          return {
            method: "POST",
            path: "/asset_manager_api/ingest/events",
            headers: { "content-type": "application/json", ...signBatch(reader(), body) },
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
