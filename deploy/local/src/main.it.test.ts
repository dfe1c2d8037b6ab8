import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";

const data = mkdtempSync(join(tmpdir(), "main-"));
const envFile = join(data, "servers.env");
const main = join(import.meta.dirname, "main.ts");

afterAll(async () => {
  await run("stop").ended;
  rmSync(data, { recursive: true, force: true });
});

type Run = {
  child: ChildProcess;
  output(): string;
  ended: Promise<{ code: number; output: string }>;
};

function run(...args: string[]): Run {
  // Without the settings of the shared servers it starts servers of its own.
  const { MONGO_URL: _m, KAFKA_BROKERS: _k, REDIS_URL: _r, ...env } = process.env;
  const child = spawn(process.execPath, [main, ...args, "--data", data], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  return { child, output: () => output, ended: once(child, "close").then(([code]) => ({ code, output })) };
}

// The start of a server has a limit of 2 minutes. This is longer.
const startTimeout = { timeout: 150_000 };
const waitUntilUp = ({ output }: Run) =>
  vi.waitFor(() => expect(existsSync(envFile), output()).toBe(true), startTimeout);
const recorded = () => readdirSync(join(data, "run"));

test("servers start once per data folder, are cleared after their starter was killed, and stop in order", async () => {
  const first = run("servers", "--write-env", envFile);
  await waitUntilUp(first);
  const ports = readFileSync(envFile, "utf8");
  expect(ports).toMatch(/^MONGO_URL='.*'\nKAFKA_BROKERS='.*'\nREDIS_URL='.*'\n$/);

  const second = await run("servers").ended;
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("already runs") });

  first.child.kill("SIGKILL");
  await first.ended;
  rmSync(envFile);
  const third = run("servers", "--write-env", envFile);
  await waitUntilUp(third);
  expect(readFileSync(envFile, "utf8")).toBe(ports);

  // Twice, because npm and the terminal both send SIGINT for one Ctrl-C.
  third.child.kill("SIGINT");
  await delay(5);
  third.child.kill("SIGINT");
  const ended = await third.ended;
  expect(ended.code).toBe(0);
  expect(ended.output).toMatch(/left behind by an earlier run/);
  expect(recorded()).toEqual([]);
  expect(existsSync(envFile)).toBe(false);
}, 600_000);

test("Ctrl-C during the start leaves no process behind", async () => {
  const starting = run("servers", "--write-env", envFile);
  await vi.waitFor(() => expect(recorded().length).toBeGreaterThan(0), startTimeout);
  starting.child.kill("SIGINT");
  expect((await starting.ended).code).toBe(0);
  expect(recorded()).toEqual([]);
}, 600_000);

test("stop ends a run from another terminal, and reports if nothing is running", async () => {
  const running = run("servers", "--write-env", envFile);
  await waitUntilUp(running);
  expect(await run("stop").ended).toMatchObject({ code: 0, output: expect.stringContaining("stopped") });
  expect((await running.ended).code).toBe(0);
  expect((await run("stop").ended).output).toContain("nothing was running");
}, 600_000);
