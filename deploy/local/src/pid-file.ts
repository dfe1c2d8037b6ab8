import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { identify, isRunning, type ProcessIdentity } from "./process-identity.ts";
import type { Progress } from "./types.ts";
import { writeWhole } from "./write-whole.ts";

/** The folder of the pid files in a data folder. */
export function runDirectory(dataDirectory: string): string {
  return join(dataDirectory, "run");
}

/** Notes a started process, so that `stop` finds it should this process be killed. */
export function writePidFile(dataDirectory: string, name: string, pid: number): void {
  const identity = identify(pid);
  if (identity === undefined) return;
  writeWhole(pidFile(dataDirectory, name), JSON.stringify(identity));
}

export function removePidFile(dataDirectory: string, name: string): void {
  rmSync(pidFile(dataDirectory, name), { force: true });
}

/** The noted process if exactly it still runs. */
export function readLive(dataDirectory: string, name: string): ProcessIdentity | undefined {
  const identity = readIdentity(pidFile(dataDirectory, name));
  return identity !== undefined && isRunning(identity) ? identity : undefined;
}

/** Reads a process identity from a file; undefined when there is none that makes sense. */
export function readIdentity(file: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    if (!("pid" in value) || !("startedAt" in value)) return undefined;
    const { pid, startedAt } = value;
    // 0 and below address process groups, 1 is init: never ours.
    return typeof pid === "number" && Number.isInteger(pid) && pid > 1 && typeof startedAt === "string"
      ? { pid, startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Kills the noted processes on the spot, for a process that is about to exit itself. */
export function killNotedProcesses(dataDirectory: string): void {
  for (const name of noted(dataDirectory)) {
    const identity = readLive(dataDirectory, name);
    if (identity !== undefined) signal(identity, "SIGKILL");
  }
}

// Consumers before what they consume from.
const order = ["gateway", "*", "kafka", "redis", "mongo"];

/** Ends the noted processes, services first and the database last, and returns their names. */
export async function endNotedProcesses(dataDirectory: string, progress: Progress): Promise<string[]> {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.indexOf("*"));
  const names = noted(dataDirectory).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const ended: string[] = [];
  for (const name of names) {
    const identity = readLive(dataDirectory, name);
    if (identity !== undefined) {
      progress(`${name}: stopping process ${identity.pid}, left behind by an earlier run`);
      await endProcess(identity, 20_000);
      ended.push(name);
    }
    removePidFile(dataDirectory, name);
  }
  return ended;
}

/** Kills at once whatever was started on this data folder: the answer to a second Ctrl-C. */
export function killLeftovers(dataDirectory: string): void {
  for (const name of noted(dataDirectory)) {
    const identity = readLive(dataDirectory, name);
    if (identity !== undefined) signal(identity, "SIGKILL");
    removePidFile(dataDirectory, name);
  }
}

/** SIGTERM, then SIGKILL after `graceMs`; returns when the process is gone. */
async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<void> {
  signal(identity, "SIGCONT");
  signal(identity, "SIGTERM");
  const deadline = Date.now() + graceMs;
  while (isRunning(identity) && Date.now() < deadline) await delay(50);
  signal(identity, "SIGKILL");
  while (isRunning(identity)) await delay(20);
}

/** Sends a signal to exactly this process; false when it is gone. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false;
  try {
    return process.kill(identity.pid, name);
  } catch {
    return false;
  }
}

function pidFile(dataDirectory: string, name: string): string {
  return join(runDirectory(dataDirectory), `${name}.pid.json`);
}

function noted(dataDirectory: string): string[] {
  try {
    return readdirSync(runDirectory(dataDirectory)).flatMap((file) =>
      file.endsWith(".pid.json") ? [file.slice(0, -".pid.json".length)] : [],
    );
  } catch {
    return [];
  }
}
