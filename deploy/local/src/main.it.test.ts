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
  said(): string;
  ended: Promise<{ code: number; output: string }>;
};

function run(...args: string[]): Run {
  // The three settings of the shared servers must not reach it.
  const { MONGO_URL: _m, KAFKA_BROKERS: _k, REDIS_URL: _r, ...env } = process.env;
  const child = spawn(process.execPath, [main, ...args, "--data", data], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  return { child, said: () => output, ended: once(child, "close").then(([code]) => ({ code, output })) };
}

// More than a start itself is given, 2 minutes.
const patient = { timeout: 150_000 };
const isUp = ({ said }: Run) => vi.waitFor(() => expect(existsSync(envFile), said()).toBe(true), patient);
const noted = () => readdirSync(join(data, "run"));

test("servers come up once, survive the death of their starter, are cleared, and end in order", async () => {
  const first = run("servers", "--write-env", envFile);
  await isUp(first);
  const ports = readFileSync(envFile, "utf8");
  expect(ports).toMatch(/^MONGO_URL='.*'\nKAFKA_BROKERS='.*'\nREDIS_URL='.*'\n$/);

  const second = await run("servers").ended;
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("already runs") });

  first.child.kill("SIGKILL");
  await first.ended;
  rmSync(envFile);
  const third = run("servers", "--write-env", envFile);
  await isUp(third);
  expect(readFileSync(envFile, "utf8")).toBe(ports);

  // Twice, as npm and the terminal send one Ctrl-C.
  third.child.kill("SIGINT");
  await delay(5);
  third.child.kill("SIGINT");
  const ended = await third.ended;
  expect(ended.code).toBe(0);
  expect(ended.output).toMatch(/left behind by an earlier run/);
  expect(noted()).toEqual([]);
  expect(existsSync(envFile)).toBe(false);
}, 600_000);

test("Ctrl-C during the start leaves nothing behind", async () => {
  const starting = run("servers", "--write-env", envFile);
  await vi.waitFor(() => expect(noted().length).toBeGreaterThan(0), patient);
  starting.child.kill("SIGINT");
  expect((await starting.ended).code).toBe(0);
  expect(noted()).toEqual([]);
}, 600_000);

test("stop ends a run in order from another terminal, and says when there is nothing to end", async () => {
  const running = run("servers", "--write-env", envFile);
  await isUp(running);
  expect(await run("stop").ended).toMatchObject({ code: 0, output: expect.stringContaining("stopped") });
  expect((await running.ended).code).toBe(0);
  expect((await run("stop").ended).output).toContain("nothing was running");
}, 600_000);
