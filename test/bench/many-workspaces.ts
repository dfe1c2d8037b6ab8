import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createLogger, loadConfig, newId } from "@asset-register/runtime";
import mongoose from "mongoose";
import { operatorSchema } from "../../services/identity/src/config.ts";
import { openContext } from "../../services/identity/src/open-context.ts";
import { createWorkspace } from "../../services/identity/src/operations/workspaces/create-workspace.ts";
import { cpuTime } from "./cpu.ts";
import { table } from "./growth/tables.ts";
import { residentMiB } from "./memory.ts";
import { type BenchPlatform, startBenchPlatform } from "./platform.ts";

/**
 * What workspaces without any work cost: how long each service takes until it knows them, and how long it starts, its
 * memory after the start, and the CPU time of idle processes.
 *
 *     node test/bench/many-workspaces.ts --workspaces 1000,10000
 */
const { values } = parseArgs({
  options: {
    workspaces: { type: "string", default: "1000,10000" },
    seconds: { type: "string", default: "20" },
  },
});
const COUNTS = values.workspaces.split(",").map(Number);
const SECONDS = Number(values.seconds);
const AT_ONCE = 8;
/** In the database of each service. */
const COLLECTION = "workspaces";
const SETTLING_MS = 10_000;
/** A start compiles code for the first time only, so the first of the starts does not count. */
const STARTS = 3;

type Row = string[];

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const bench = await startBenchPlatform(log);
const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
try {
  const rows: Row[] = [...(await measure(bench, 0))];
  for (const count of COUNTS) {
    log(`${count} workspaces: ${await fill(bench, count)}`);
    rows.push(...(await measure(bench, count)));
  }
  const head = [
    "Workspaces",
    "Process",
    "Start (s)",
    "CPU of a start (s)",
    "Memory (MiB)",
    "Idle (% of a core)",
  ];
  process.stdout.write(`Load ${loadavg()[0]?.toFixed(0)}\n\n${table(head, rows)}\n`);
} finally {
  await client.close();
  await bench.stop();
}

/** Creates workspaces until there are `count`, and waits until each service knows them. */
async function fill({ platform }: BenchPlatform, count: number): Promise<string> {
  const { identity, ...others } = platform.services;
  const config = loadConfig(operatorSchema, identity?.env ?? {});
  const { context, close } = await openContext(config, createLogger({ service: "bench", level: "error" }));
  const known = (database: string | undefined): Promise<number> =>
    client.db(database).collection(COLLECTION).countDocuments();
  const started = performance.now();
  try {
    // Nobody signs in, so one hash does for all.
    const hash = await context.passwords.hash(newId("usr"));
    const cheap = { ...context, passwords: { ...context.passwords, hash: async () => hash } };
    let missing = count - (await known(identity?.env.MONGO_DATABASE));
    const create = async (): Promise<void> => {
      while (missing > 0) {
        missing -= 1;
        const id = newId("usr");
        const admin = { adminEmail: `${id}@example.com`, adminName: "Admin", adminPassword: newId("key") };
        const shown = { numberPrefix: "AST", fiscalYearStart: 1 };
        const settings = { name: id, plan: "business" as const, timeZone: "Europe/Berlin", currency: "EUR" };
        await createWorkspace(
          cheap,
          { ...settings, ...shown, ...admin },
          { actor: { kind: "operator", id: "bench" } },
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, create));
  } finally {
    await close();
  }
  const seconds = (): string => `${((performance.now() - started) / 1_000).toFixed(0)} s`;
  const lines = [`created after ${seconds()}`];
  await Promise.all(
    Object.values(others).map(async ({ name, env }) => {
      while ((await known(env.MONGO_DATABASE)) < count) await sleep(500);
      lines.push(`${name} knows them after ${seconds()}`);
    }),
  );
  return lines.join(", ");
}

/** The starts of each process, one after the other, and what all of them use when they are idle. */
async function measure({ platform, serverPids }: BenchPlatform, count: number): Promise<Row[]> {
  const measured: { name: string; pid(): number; cells: Row }[] = [];
  for (const one of [...Object.values(platform.services), platform.gateway]) {
    let [seconds, cpu] = [0, 0];
    for (let start = 0; start < STARTS; start += 1) {
      const started = performance.now();
      await one.restart();
      seconds = (performance.now() - started) / 1_000;
      cpu = (cpuTime(one.pid()) ?? 0) / 1_000_000;
    }
    measured.push({ name: one.name, pid: one.pid, cells: [seconds.toFixed(1), cpu.toFixed(1)] });
    log(`${count} workspaces: ${one.name} started in ${seconds.toFixed(1)} s`);
  }
  for (const [name, pid] of Object.entries(serverPids))
    measured.push({ name, pid: () => pid, cells: ["", ""] });
  await sleep(SETTLING_MS);
  const before = measured.map(({ pid }) => cpuTime(pid()) ?? 0);
  await sleep(SECONDS * 1_000);
  return measured.map(({ name, pid, cells }, index) => {
    const share = ((cpuTime(pid()) ?? 0) - (before[index] ?? 0)) / (SECONDS * 10_000);
    return [String(count), name, ...cells, String(residentMiB(pid())), share.toFixed(1)];
  });
}
