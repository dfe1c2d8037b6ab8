import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { clearLeftovers } from "./leftovers.ts";
import { readIdentity, readLive, runDirectory, writePidFile } from "./pid-file.ts";
import { identify, isRunning } from "./process-identity.ts";

const folder = () => mkdtempSync(join(tmpdir(), "pids-"));
const sleeper = () => spawn("sleep", ["60"]);

test("what was left behind is ended, services before the broker and the broker before the database", async () => {
  const data = folder();
  for (const name of ["mongo", "identity", "kafka", "gateway"]) writePidFile(data, name, sleeper().pid!);
  expect(readLive(data, "mongo")).toBeDefined();
  expect(await clearLeftovers(data, () => {})).toEqual(["gateway", "identity", "kafka", "mongo"]);
  expect(readLive(data, "mongo")).toBeUndefined();
  expect(await clearLeftovers(data, () => {})).toEqual([]);
});

test("a stranger that has got the number of a process of ours is never ended", async () => {
  const data = folder();
  const stranger = sleeper();
  mkdirSync(runDirectory(data));
  const file = join(runDirectory(data), "kafka.pid.json");
  writeFileSync(file, JSON.stringify({ pid: stranger.pid, startedAt: "an earlier boot/1" }));
  expect(await clearLeftovers(data, () => {})).toEqual([]);
  expect(existsSync(file)).toBe(false);
  expect(isRunning(identify(stranger.pid!)!)).toBe(true);
  stranger.kill();
});

test("one that was paused is ended too", async () => {
  const data = folder();
  const child = sleeper();
  writePidFile(data, "redis", child.pid!);
  child.kill("SIGSTOP");
  expect(await clearLeftovers(data, () => {})).toEqual(["redis"]);
});

test("an ended process is not running, even before its parent has asked for its exit code", async () => {
  const child = sleeper();
  const identity = identify(child.pid!)!;
  expect(isRunning(identity)).toBe(true);
  child.kill();
  await once(child, "exit");
  expect(isRunning(identity)).toBe(false);
});

// Ends its first thread alone; the number of that call is x86-64's.
const FIRST_THREAD_ENDS = `
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
ctypes.CDLL(None).syscall(60, 0)`;

test("a process whose first thread has ended runs as long as another one does, since it holds its ports", async ({
  skip,
}) => {
  const python =
    process.platform === "linux" && process.arch === "x64" && !spawnSync("python3", ["-V"]).error;
  if (!python) return skip("python3 on Linux and x86-64 can end one thread of a process; it is not here");
  const child = spawn("python3", ["-c", FIRST_THREAD_ENDS]);
  const identity = identify(child.pid!)!;
  await vi.waitFor(() => expect(stateOf(child.pid!)).toBe("Z"), { timeout: 60_000 });
  expect(isRunning(identity)).toBe(true);
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(isRunning(identity)).toBe(false), { timeout: 60_000 });
});

const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];

test.each(["", "{}", '{"pid":0,"startedAt":"x"}', '{"pid":-1,"startedAt":"x"}', '{"pid":1,"startedAt":"x"}'])(
  "a pid file that could hit init or a whole group (%s) is not believed",
  (text) => {
    const file = join(folder(), "x");
    writeFileSync(file, text);
    expect(readIdentity(file)).toBeUndefined();
  },
);
