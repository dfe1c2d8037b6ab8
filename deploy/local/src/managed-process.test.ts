import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "./managed-process.ts";
import { runDirectory } from "./pid-file.ts";

/** The command lines of all processes. Linux only. */
const commandLines = () =>
  readdirSync("/proc").flatMap((entry) => {
    try {
      return /^\d+$/.test(entry) ? [readFileSync(`/proc/${entry}/cmdline`, "utf8")] : [];
    } catch {
      // The process has exited since readdir.
      return [];
    }
  });

test("a process whose pid file can't be written is killed", async ({ skip }) => {
  if (process.platform !== "linux") return skip("the test reads the running processes from /proc");
  const data = mkdtempSync(join(tmpdir(), "managed-"));
  // The pid file is written to this path first. A folder there makes the write fail.
  mkdirSync(join(runDirectory(data), "redis.pid.json.new"), { recursive: true });
  const listeners = process.listenerCount("exit");
  const started = startProcess({
    name: "redis",
    command: process.execPath,
    args: ["-e", "setTimeout(() => {}, 600_000)", data],
    env: process.env,
    cwd: data,
    logFile: join(data, "log"),
    dataDirectory: data,
  });
  await expect(started).rejects.toMatchObject({ code: "EISDIR" });
  expect(commandLines().filter((line) => line.includes(data))).toEqual([]);
  expect(process.listenerCount("exit")).toBe(listeners);
});
