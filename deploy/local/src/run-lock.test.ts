import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { identify } from "./process-identity.ts";
import { acquireRunLock, lockFile } from "./run-lock.ts";

const folder = () => mkdtempSync(join(tmpdir(), "lock-"));

test("a second run on the same folder is rejected, and the error names the process that holds the lock", () => {
  const data = folder();
  const lock = acquireRunLock(data);
  expect(lock.takenOver).toBe(false);
  expect(() => acquireRunLock(data)).toThrow(new RegExp(`already runs.*${process.pid}`));
  lock.release();
  expect(existsSync(lockFile(data))).toBe(false);
  acquireRunLock(data).release();
});

test("the lock of a killed run is taken over", async () => {
  const data = folder();
  const child = spawn("sleep", ["60"]);
  writeFileSync(lockFile(data), JSON.stringify(identify(child.pid!)));
  expect(() => acquireRunLock(data)).toThrow(/already runs/);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(acquireRunLock(data).takenOver).toBe(true);
});

test("a lock whose pid now belongs to another program is taken over", () => {
  const data = folder();
  writeFileSync(lockFile(data), JSON.stringify({ pid: process.pid, startedAt: "an earlier boot/1" }));
  expect(acquireRunLock(data).takenOver).toBe(true);
});

test("a lock that was truncated by a full disk is taken over", () => {
  const data = folder();
  writeFileSync(lockFile(data), "{");
  expect(acquireRunLock(data).takenOver).toBe(true);
});

test.each([
  ["a fresh folder", undefined],
  ["a folder whose run was killed", { pid: process.pid, startedAt: "an earlier boot/1" }],
])("when several runs start at once on %s, exactly one gets the lock", async (_, stale) => {
  const data = folder();
  if (stale !== undefined) writeFileSync(lockFile(data), JSON.stringify(stale));
  const script = `import { acquireRunLock } from ${JSON.stringify(join(import.meta.dirname, "run-lock.ts"))};
    try { acquireRunLock(${JSON.stringify(data)}); console.log("got"); } catch { console.log("refused"); }
    process.stdin.resume();`;
  const file = join(data, "run.mjs");
  writeFileSync(file, script);
  // Each process lives until its standard input ends, so the lock is still held when the last one tries.
  const runs = Array.from({ length: 5 }, () =>
    spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  onTestFinished(() => {
    for (const run of runs) run.stdin.end();
  });
  const results = await Promise.all(
    runs.map(async ({ stdout }) => String(await once(stdout, "data")).trim()),
  );
  expect(results.sort()).toEqual(["got", "refused", "refused", "refused", "refused"]);
});
