import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { clearLeftovers } from "./leftovers.ts";
import { readIdentity, readRunning, runDirectory, writePidFile } from "./pid-file.ts";
import { identify, isRunning } from "./process-identity.ts";

const folder = () => mkdtempSync(join(tmpdir(), "pids-"));
const sleeper = () => spawn("sleep", ["60"]);

test("leftover processes are stopped: services before the broker, the broker before the database", async () => {
  const data = folder();
  for (const name of ["mongo", "identity", "kafka", "gateway"]) writePidFile(data, name, sleeper().pid!);
  expect(readRunning(data, "mongo")).toBeDefined();
  expect(await clearLeftovers(data, () => {})).toEqual(["gateway", "identity", "kafka", "mongo"]);
  expect(readRunning(data, "mongo")).toBeUndefined();
  expect(await clearLeftovers(data, () => {})).toEqual([]);
});

test("a foreign process that has the pid of one of our earlier processes is not stopped", async () => {
  const data = folder();
  const foreign = sleeper();
  mkdirSync(runDirectory(data));
  const file = join(runDirectory(data), "kafka.pid.json");
  writeFileSync(file, JSON.stringify({ pid: foreign.pid, startedAt: "an earlier boot/1" }));
  expect(await clearLeftovers(data, () => {})).toEqual([]);
  expect(existsSync(file)).toBe(false);
  expect(isRunning(identify(foreign.pid!)!)).toBe(true);
  foreign.kill();
});

test("a paused process is stopped too", async () => {
  const data = folder();
  const child = sleeper();
  writePidFile(data, "redis", child.pid!);
  child.kill("SIGSTOP");
  expect(await clearLeftovers(data, () => {})).toEqual(["redis"]);
});

test("a process that has exited is not running, even before its parent has read its exit code", async () => {
  const child = sleeper();
  const identity = identify(child.pid!)!;
  expect(isRunning(identity)).toBe(true);
  child.kill();
  await once(child, "exit");
  expect(isRunning(identity)).toBe(false);
});

// Ends only the first thread. 60 is the number of the exit system call on x86-64.
const FIRST_THREAD_ENDS = `
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
ctypes.CDLL(None).syscall(60, 0)`;

test("a process whose first thread has exited is running while another thread runs, because it holds its ports", async ({
  skip,
}) => {
  const python =
    process.platform === "linux" && process.arch === "x64" && !spawnSync("python3", ["-V"]).error;
  if (!python) return skip("the test needs python3 on Linux x86-64, to end one thread of a process");
  const child = spawn("python3", ["-c", FIRST_THREAD_ENDS]);
  const identity = identify(child.pid!)!;
  await vi.waitFor(() => expect(stateOf(child.pid!)).toBe("Z"), { timeout: 60_000 });
  expect(isRunning(identity)).toBe(true);
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(isRunning(identity)).toBe(false), { timeout: 60_000 });
});

const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0];

test.each(["", "{}", '{"pid":0,"startedAt":"x"}', '{"pid":-1,"startedAt":"x"}', '{"pid":1,"startedAt":"x"}'])(
  "a pid file that is invalid, or names init or a process group (%s), is ignored",
  (text) => {
    const file = join(folder(), "x");
    writeFileSync(file, text);
    expect(readIdentity(file)).toBeUndefined();
  },
);
