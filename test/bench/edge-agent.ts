import { setTimeout as sleep } from "node:timers/promises";
import { type ReaderKey, signBatch } from "@asset-register/harness/client";
import { Pool } from "undici";
import { startAgentProcess } from "../../apps/edge-agent/test/site/agent-process.ts";
import type { Prepared, Work } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaders, ingestProcesses, type Read, readSource, runApiRoleOnly } from "./readers.ts";

const READERS = 4;
/** As many as the agent puts into a batch. */
const EVENTS_IN_BATCH = 1_000;
const READS_IN_MESSAGE = 100;
/** Messages of one reader. */
const IN_FLIGHT = 4;
const POLL_MS = 20;

/** Reads that readers post to an agent, until the platform has accepted them. */
export async function edgeAgent(bench: BenchPlatform): Promise<Prepared> {
  const readers = await createReaders(bench, READERS);
  const undo = await runApiRoleOnly(bench);
  const agent = await startAgentProcess({
    platformUrl: bench.demo.base_url,
    // Each read is an event, as on the other side.
    thinning: { window: "0ms" },
    readers: readers.map((reader) => readerSetting(reader)),
  });
  const platform = (): Record<string, number> => ({ ...ingestProcesses(bench), ...bench.serverPids });
  return {
    benchmark: {
      name: "edge-agent",
      work: `reads of ${READERS} readers in messages of ${READS_IN_MESSAGE} to an agent, until the platform has accepted them; baseline: a bare undici loop that signs and posts batches of ${EVENTS_IN_BATCH}, ${READERS} in flight`,
      goal: 0.5,
      ours: {
        processes: () => ({ client: process.pid, agent: agent.pid(), ...platform() }),
        run: (milliseconds) => throughAgent(agent, readers, milliseconds),
      },
      baseline: {
        processes: () => ({ loop: process.pid, ...platform() }),
        run: (milliseconds) => bareLoop(bench.demo.base_url, readers, milliseconds),
      },
    },
    async stop() {
      await agent.stop();
      await undo();
    },
  };
}

/** A reader of the platform that posts to the agent under its id. */
export const readerSetting = ({ id, key }: ReaderKey) => ({
  ...{ name: id, platform_reader: id, secret: key.export().toString("utf8") },
  input: { type: "http", format: "json", auth: "none" },
});

type BenchAgent = Awaited<ReturnType<typeof startAgentProcess>>;

async function throughAgent(agent: BenchAgent, readers: ReaderKey[], milliseconds: number): Promise<Work> {
  const read = readSource();
  const started = performance.now();
  let operations = 0;
  const post = async ({ id }: ReaderKey, pool: Pool): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      const body = bodyOf(read, READS_IN_MESSAGE);
      const headers = { "content-type": "application/json" };
      const response = await pool.request({ method: "POST", path: `/readers/${id}`, headers, body });
      await response.body.dump();
      if (response.statusCode !== 204) throw new Error(`The agent returned ${response.statusCode}`);
      operations += READS_IN_MESSAGE;
    }
  };
  const pool = new Pool(new URL(agent.readerUrl("x")).origin, { connections: READERS * IN_FLIGHT });
  await Promise.all(readers.flatMap((reader) => Array.from({ length: IN_FLIGHT }, () => post(reader, pool))));
  while ((await agent.status()).buffer.rows > 0) await sleep(POLL_MS);
  const taken = performance.now() - started;
  await pool.close();
  return { operations, milliseconds: taken };
}

async function bareLoop(origin: string, readers: ReaderKey[], milliseconds: number): Promise<Work> {
  const read = readSource();
  const pool = new Pool(origin, { connections: READERS });
  const started = performance.now();
  let operations = 0;
  const post = async (reader: ReaderKey): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      const body = bodyOf(read, EVENTS_IN_BATCH);
      const headers = { "content-type": "application/json", ...signBatch(reader, body) };
      const request = { method: "POST" as const, path: "/asset_manager_api/ingest/events", headers, body };
      const response = await pool.request(request);
      await response.body.dump();
      if (response.statusCode !== 202) throw new Error(`The platform returned ${response.statusCode}`);
      operations += EVENTS_IN_BATCH;
    }
  };
  await Promise.all(readers.map(post));
  const taken = performance.now() - started;
  await pool.close();
  return { operations, milliseconds: taken };
}

/** The agent keeps milliseconds of a time; each read of an EPC here has another one. */
const bodyOf = (read: () => Read, count: number): string =>
  JSON.stringify({ events: Array.from({ length: count }, read) });
