import { signBatch } from "@asset-register/harness/client";
import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { createRpcClient, createServiceIdentity } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import type { Prepared, Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaderRotation, ingestProcesses, readSource, rotate, runApiRoleOnly } from "./readers.ts";
import { startReplica } from "./worker.ts";

const EVENTS_IN_BATCH = 100;
const BATCHES_IN_CALL = 4;
/** In flight for each replica: two replicas get twice the load of one. */
const IN_FLIGHT = 8;

/** Calls of the gateway, spread over two replicas of ingest as in production, or all to one. */
export async function ingestReplicas(bench: BenchPlatform): Promise<Prepared> {
  const nextReader = await createReaderRotation(bench, 32);
  const undo = await runApiRoleOnly(bench);
  const second = await startReplica(bench, "second-ingest", { ROLES: "api" });
  const read = readSource();
  const batch = () => {
    const body = JSON.stringify({ events: Array.from({ length: EVENTS_IN_BATCH }, read) });
    const headers = signBatch(nextReader(), body);
    return {
      readerId: headers["x-reader-id"],
      timestamp: headers["x-reader-timestamp"],
      nonce: headers["x-reader-nonce"],
      signature: headers["x-reader-signature"],
      body: Buffer.from(body),
    };
  };
  const clientOf = gatewayClients(bench);
  const first = clientOf(bench.platform.services["tagging-ingest"]?.grpcAddress ?? "");
  const clients = [first, clientOf(second.grpcAddress)];

  function side(own: typeof clients, processes: Side["processes"]): Side {
    const next = rotate(own);
    const inFlight = IN_FLIGHT * own.length;
    const call = () => Array.from({ length: BATCHES_IN_CALL }, batch);
    let ready: ReturnType<typeof call>[] = [];
    let perMillisecond = 0.01;
    return {
      processes,
      prepare(milliseconds) {
        ready = Array.from({ length: Math.ceil(perMillisecond * milliseconds * 1.5) + inFlight }, call);
      },
      async run(milliseconds) {
        const started = performance.now();
        let calls = 0;
        const sendUntilEnd = async (): Promise<void> => {
          while (performance.now() - started < milliseconds) {
            const { batches } = await next().ingestSignedBatches({ batches: ready.pop() ?? call() });
            const refused = batches.find(({ error }) => error !== undefined);
            if (refused !== undefined) throw new Error(`a batch was refused: ${refused.error?.code}`);
            calls += 1;
          }
        };
        await Promise.all(Array.from({ length: inFlight }, sendUntilEnd));
        const taken = performance.now() - started;
        perMillisecond = Math.max(perMillisecond, calls / taken);
        return { operations: calls * BATCHES_IN_CALL * EVENTS_IN_BATCH, milliseconds: taken };
      },
    };
  }
  const { "tagging-ingest": pid = 0 } = ingestProcesses(bench);
  const one = { client: process.pid, "tagging-ingest": pid, ...bench.serverPids };
  return {
    benchmark: {
      name: "ingest-replicas",
      work: `CPU time of an event in calls of ${BATCHES_IN_CALL} signed batches of ${EVENTS_IN_BATCH}, servers included, with two replicas and twice the load; baseline: with one`,
      compared: "cpu",
      goal: 1.2,
      ours: side(clients, () => ({ ...one, "second replica": second.pid() })),
      baseline: side([first], () => one),
    },
    async stop() {
      for (const client of clients) client.close();
      await second.stop();
      await undo();
    },
  };
}

function gatewayClients({ platform }: BenchPlatform) {
  const { SERVICE_PRIVATE_KEY: privateKeyPem = "", TRUSTED_KEYS = "{}" } = platform.gateway.env;
  const trustedKeys = JSON.parse(TRUSTED_KEYS);
  const identity = createServiceIdentity({ name: "gateway", privateKeyPem, trustedKeys });
  const logger = createLogger({ service: "bench", level: "error" });
  const metrics = createMetrics({ service: "bench" });
  return (address: string) => createRpcClient(IngestService, { address, identity, logger, metrics });
}
