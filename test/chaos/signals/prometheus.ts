import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findPrometheus, findPromtool } from "@asset-register/helm/tools";
import { findFreePort, LocalError } from "@asset-register/local";
import { z } from "zod";
import { type Alert, parseAlerts } from "./alerts.ts";
import { prometheusConfig, type RuleGroup, type targetsOf } from "./config.ts";
import { formatPast, type PastSeries, type Query } from "./history.ts";

const run = promisify(execFile);

export type Prometheus = {
  /** It reads the file again at once. */
  setTargets(targets: ReturnType<typeof targetsOf>): Promise<void>;
  alerts(): Promise<Alert[]>;
  query: Query;
  /** Adds series of the time before `end` (seconds since 1970). They are there within two minutes. */
  addPast(series: readonly PastSeries[], end: number): Promise<void>;
  stop(): Promise<void>;
};

const vectorSchema = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        value: z.tuple([z.number(), z.coerce.number()]),
      }),
    ),
  }),
});

/**
 * Starts Prometheus with these rules, and without targets.
 * @throws LocalError if it can't be had
 */
export async function startPrometheus(groups: readonly RuleGroup[], directory: string): Promise<Prometheus> {
  const [program, promtool] = [await findPrometheus(), await findPromtool()];
  if (program === undefined || promtool === undefined)
    throw new LocalError("Prometheus can't be had.", "Install it, so that `prometheus` is in the PATH.");
  await mkdir(directory, { recursive: true });
  const file = (name: string): string => path.join(directory, name);
  let written = Promise.resolve();
  // Faults begin at once: one write follows the other, so that the last one counts.
  const setTargets = (targets: ReturnType<typeof targetsOf>): Promise<void> => {
    written = written.then(async () => {
      await writeFile(file("targets.new"), JSON.stringify(targets));
      await rename(file("targets.new"), file("targets.json"));
    });
    return written;
  };
  await setTargets([]);
  // JSON is YAML.
  await writeFile(file("rules.yaml"), JSON.stringify({ groups }));
  const config = prometheusConfig({ targets: file("targets.json"), rules: file("rules.yaml") });
  await writeFile(file("prometheus.yaml"), JSON.stringify(config));

  const [data, port] = [file("data"), await findFreePort()];
  const flags = { "config.file": file("prometheus.yaml"), "storage.tsdb.path": data };
  const args = Object.entries({ ...flags, "web.listen-address": `127.0.0.1:${port}`, "log.level": "warn" });
  const child = spawn(
    program,
    args.map(([flag, value]) => `--${flag}=${value}`),
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const exited = once(child, "exit");
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);

  const get = async (route: string): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
    return response;
  };
  const getJson = async (route: string): Promise<unknown> => (await get(route)).json();
  while (!(await get("/-/ready").then(Boolean, () => false))) {
    if (child.exitCode !== null) throw new LocalError("Prometheus has ended.", "Its output is above.");
    await sleep(200);
  }
  return {
    setTargets,
    alerts: async () => parseAlerts(await getJson("/api/v1/alerts")),
    async query(query) {
      const { data } = vectorSchema.parse(await getJson(`/api/v1/query?query=${encodeURIComponent(query)}`));
      return data.result.map(({ metric, value }) => ({ labels: metric, value: value[1] }));
    },
    async addPast(series, end) {
      await pipeline(formatPast(series, end), createWriteStream(file("past.txt")));
      const blocks = ["tsdb", "create-blocks-from", "openmetrics", "--max-block-duration=24h"];
      await run(promtool, [...blocks, file("past.txt"), data], { maxBuffer: 64 * 1024 * 1024 });
    },
    async stop() {
      process.off("exit", kill);
      kill();
      await exited;
    },
  };
}
