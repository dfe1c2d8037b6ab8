import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writePidFile } from "./pid-file.ts";
import { identify } from "./process-identity.ts";
import { acquireRunLock, lockFile } from "./run-lock.ts";
import { stopPlatform } from "./stop-command.ts";

const folder = () => mkdtempSync(join(tmpdir(), "stop-"));

test("a run that is suspended by Ctrl-Z is stopped too", async () => {
  const data = folder();
  const run = spawn("sleep", ["600"]);
  onTestFinished(() => void run.kill("SIGKILL"));
  writeFileSync(lockFile(data), JSON.stringify(identify(run.pid!)));
  run.kill("SIGSTOP");
  await stopPlatform({ dataDirectory: data, progress: () => {} });
  expect(identify(run.pid!)).toBeUndefined();
  expect(existsSync(lockFile(data))).toBe(false);
});

test("no run can start while leftover processes are stopped, so that `stop` never stops a new run", async () => {
  const data = folder();
  const leftover = spawn("sleep", ["600"]);
  onTestFinished(() => void leftover.kill("SIGKILL"));
  writePidFile(data, "mongo", leftover.pid!);
  const errors: unknown[] = [];
  const progress = (line: string) => {
    if (line.startsWith("mongo: stopping")) errors.push(lockError(data));
  };
  await stopPlatform({ dataDirectory: data, progress });
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(/already runs/) })]);
  expect(existsSync(lockFile(data))).toBe(false);
});

function lockError(data: string): unknown {
  try {
    acquireRunLock(data);
    return undefined;
  } catch (error) {
    return error;
  }
}

test("a helper program, such as a download, is killed when its run exits", async () => {
  const file = join(folder(), "pid");
  const tool = {
    command: "sh",
    args: ["-c", `echo $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 600`],
    env: process.env,
    what: "fetching",
  };
  const script = `
    import { runTool } from ${JSON.stringify(join(import.meta.dirname, "run-tool.ts"))};
    process.on("SIGTERM", () => process.exit());
    await runTool({ ...${JSON.stringify(tool)}, progress() {} });`;
  const run = spawn(process.execPath, ["--input-type=module", "-e", script]);
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 60_000 });
  const pid = Number(readFileSync(file, "utf8"));
  onTestFinished(() => void (identify(pid) && process.kill(pid, "SIGKILL")));
  expect(identify(pid)).toBeDefined();
  run.kill("SIGTERM");
  await vi.waitFor(() => expect(identify(pid)).toBeUndefined(), { timeout: 60_000 });
});
