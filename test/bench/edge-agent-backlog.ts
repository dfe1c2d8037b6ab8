import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReaderKey } from "@asset-register/harness/client";
import { openBuffer } from "../../apps/edge-agent/src/buffer/buffer.ts";
import { bootId, systemTime } from "../../apps/edge-agent/src/clock/system-time.ts";
import { startAgentProcess } from "../../apps/edge-agent/test/site/agent-process.ts";
import type { Survey } from "./benchmark.ts";
import { cpuTime } from "./cpu.ts";
import { readerSetting } from "./edge-agent.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaders, runApiRoleOnly } from "./readers.ts";

const ROWS = Number(process.env.BENCH_BACKLOG_ROWS ?? 1_000_000);
const READERS = 4;
const ROWS_AT_ONCE = 10_000;
/** A live read each so often, of a reader without a backlog. */
const LIVE_MS = 500;
const POLL_MS = 50;

/** A backlog of an outage: how fast it leaves, and how long live reads take meanwhile. */
export async function edgeAgentBacklog(bench: BenchPlatform): Promise<Survey> {
  const readers = await createReaders(bench, READERS + 1);
  const undo = await runApiRoleOnly(bench);
  const data = mkdtempSync(path.join(tmpdir(), "asset-register-backlog-"));
  return {
    async survey(_rounds, progress) {
      const filling = await fill(path.join(data, "buffer.sqlite"), readers);
      progress(`edge-agent-backlog: ${ROWS} rows in ${Math.round(filling)} ms`);
      const agent = await startAgentProcess({
        ...{ platformUrl: bench.demo.base_url, data, readers: readers.map(readerSetting) },
        thinning: { window: "0ms" },
      });
      try {
        const { milliseconds, cpu, latencies } = await drain(agent, readers.at(-1));
        const perSecond = Math.round((ROWS / milliseconds) * 1000);
        const at = (part: number) => Math.round(latencies[Math.ceil(latencies.length * part) - 1] ?? 0);
        const lines = [
          `edge-agent-backlog  ${ROWS} rows in ${Math.round(milliseconds / 1000)} s: ${perSecond}/s, ${cpu.toFixed(1)} us of the agent's CPU each`,
          `  ${latencies.length} live reads meanwhile: half within ${at(0.5)} ms, 95% within ${at(0.95)} ms`,
          `  filling: ${Math.round((ROWS / filling) * 1000)}/s`,
        ];
        return { lines, rows: ROWS, milliseconds, perSecond, cpu, latencies };
      } finally {
        await agent.stop();
      }
    },
    async stop() {
      rmSync(data, { recursive: true });
      await undo();
    },
  };
}

/** Writes the rows as the agent does. Returns the time that it took. */
async function fill(file: string, readers: ReaderKey[]): Promise<number> {
  const names = readers.map(({ id }) => id);
  const { monotonic } = systemTime;
  const buffer = openBuffer({
    ...{ file, readers: names, maxBytes: 2 ** 31, whenFull: "refuse", bootId: bootId(), monotonic },
  });
  const started = performance.now();
  const at = Date.now() - 3_600_000;
  for (let from = 0; from < ROWS; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_, index) => ({
      epc: `34740000${(from + index).toString(16).padStart(16, "0")}`.toUpperCase(),
      ...{ antenna: 1, rssi: -52, count: 1, at: at + Math.floor((from + index) / 300), shiftMs: 0 },
      ...{ received: at, monotonic: monotonic(), live: true },
    }));
    await buffer.accept(names[(from / ROWS_AT_ONCE) % READERS] ?? "", rows);
  }
  buffer.close();
  return performance.now() - started;
}

type BenchAgent = Awaited<ReturnType<typeof startAgentProcess>>;

/** Waits until the backlog has left. Meanwhile the last reader reads now and then. */
async function drain(agent: BenchAgent, live: ReaderKey | undefined) {
  const name = live?.id ?? "";
  const sent = async (): Promise<number> =>
    (await agent.status()).readers.find((reader) => reader.name === name)?.sent_events ?? 0;
  const latencies: number[] = [];
  const started = performance.now();
  const cpuBefore = cpuTime(agent.pid()) ?? 0;
  while ((await agent.status()).buffer.rows > 0) {
    const [before, posted] = [await sent(), performance.now()];
    const events = [{ epc: "3474FFFF00000001", ts: Date.now() }];
    await fetch(agent.readerUrl(name), {
      ...{ method: "POST", body: JSON.stringify({ events }) },
      headers: { "content-type": "application/json" },
    });
    while ((await sent()) === before) await sleep(POLL_MS);
    latencies.push(performance.now() - posted);
    await sleep(LIVE_MS);
  }
  const milliseconds = performance.now() - started;
  const cpu = ((cpuTime(agent.pid()) ?? 0) - cpuBefore) / ROWS;
  return { milliseconds, cpu, latencies: latencies.toSorted((a, b) => a - b) };
}
