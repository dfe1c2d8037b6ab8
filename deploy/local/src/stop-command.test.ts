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

test("a run that Ctrl-Z has suspended is stopped too", async () => {
  const data = folder();
  const run = spawn("sleep", ["600"]);
  onTestFinished(() => void run.kill("SIGKILL"));
  writeFileSync(lockFile(data), JSON.stringify(identify(run.pid!)));
  run.kill("SIGSTOP");
  await stopPlatform({ dataDirectory: data, progress: () => {} });
  expect(identify(run.pid!)).toBeUndefined();
  expect(existsSync(lockFile(data))).toBe(false);
});

test("no run begins while what an earlier one left behind is ended, and none is taken for left behind", async () => {
  const data = folder();
  const left = spawn("sleep", ["600"]);
  onTestFinished(() => void left.kill("SIGKILL"));
  writePidFile(data, "mongo", left.pid!);
  const refused: unknown[] = [];
  const progress = (line: string) => {
    if (line.startsWith("mongo: stopping")) refused.push(beginError(data));
  };
  await stopPlatform({ dataDirectory: data, progress });
  expect(refused).toEqual([expect.objectContaining({ message: expect.stringMatching(/already runs/) })]);
  expect(existsSync(lockFile(data))).toBe(false);
});

function beginError(data: string): unknown {
  try {
    acquireRunLock(data);
    return undefined;
  } catch (error) {
    return error;
  }
}

test("a tool under way, such as a fetch, ends with the run that has started it", async () => {
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
