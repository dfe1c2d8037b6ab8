import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ManagedProcess, startProcess } from "./managed-process.ts";
import { restartable } from "./restartable.ts";

const data = mkdtempSync(join(tmpdir(), "restartable-"));
const started: ManagedProcess[] = [];

/** A process that runs until it is stopped. */
async function start(): Promise<ManagedProcess> {
  const name = `sleeper-${started.length}`;
  const one = await startProcess({
    ...{ name, command: process.execPath, args: ["-e", "setTimeout(() => {}, 600_000)"], env: process.env },
    ...{ cwd: data, logFile: join(data, "log"), dataDirectory: data },
  });
  started.push(one);
  onTestFinished(() => one.kill());
  return one;
}

const isRunning = ({ pid }: ManagedProcess): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a restart replaces the process", async () => {
  const first = await start();
  const running = restartable(first);
  expect(await running.restart(start)).toBe(true);
  expect([isRunning(first), isRunning(running.current())]).toEqual([false, true]);
});

test("a stop while the next process starts ends that one too, and waits for it", async () => {
  const running = restartable(await start());
  const starting = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const restarted = running.restart(async () => {
    starting.resolve();
    await gate.promise;
    return start();
  });
  await starting.promise;
  const stopped = running.stop();
  gate.resolve();
  await stopped;
  expect(await restarted).toBe(false);
  expect(started.filter(isRunning)).toEqual([]);
});

test("a stop while the process before ends: none is started", async () => {
  const running = restartable(await start());
  const count = started.length;
  const restarted = running.restart(start);
  await running.stop();
  expect([await restarted, running.isWanted(), started.length]).toEqual([false, false, count]);
});

test("a stopped process can be started again", async () => {
  const running = restartable(await start());
  await running.stop();
  expect(await running.restart(start)).toBe(true);
  expect(isRunning(running.current())).toBe(true);
});
