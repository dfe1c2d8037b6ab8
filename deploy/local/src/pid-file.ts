import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { identify, isRunning, type ProcessIdentity } from "./process-identity.ts";
import type { Progress } from "./types.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

/** The folder of the pid files in a data folder. */
export function runDirectory(dataDirectory: string): string {
  return join(dataDirectory, "run");
}

/** Records a started process, so that `stop` finds it if this process is killed. */
export function writePidFile(dataDirectory: string, name: string, pid: number): void {
  const identity = identify(pid);
  if (identity === undefined) return;
  writeFileAtomically(pidFile(dataDirectory, name), JSON.stringify(identity));
}

export function removePidFile(dataDirectory: string, name: string): void {
  rmSync(pidFile(dataDirectory, name), { force: true });
}

/** The recorded process, if exactly this process still runs. */
export function readRunning(dataDirectory: string, name: string): ProcessIdentity | undefined {
  const identity = readIdentity(pidFile(dataDirectory, name));
  return identity !== undefined && isRunning(identity) ? identity : undefined;
}

/** Reads a process identity from a file. Undefined if the file is missing or invalid. */
export function readIdentity(file: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    if (!("pid" in value) || !("startedAt" in value)) return undefined;
    const { pid, startedAt } = value;
    // 0 and below are process groups, 1 is init: never a process that we started.
    return typeof pid === "number" && Number.isInteger(pid) && pid > 1 && typeof startedAt === "string"
      ? { pid, startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Kills the recorded processes immediately. For use in an exit handler, which can't wait. */
export function killRecordedProcesses(dataDirectory: string): void {
  for (const name of recordedNames(dataDirectory)) {
    const identity = readRunning(dataDirectory, name);
    if (identity !== undefined) signal(identity, "SIGKILL");
  }
}

// Clients stop before the servers that they use.
const stopOrder = ["gateway", "*", "kafka", "redis", "mongo"];

/**
 * Stops the recorded processes, services first and the database last.
 * @returns the names of those that it stopped
 */
export async function stopRecordedProcesses(dataDirectory: string, progress: Progress): Promise<string[]> {
  const rank = (name: string) => {
    // The name of one of several ends with its number.
    const kind = name.replace(/-\d+$/, "");
    return stopOrder.indexOf(stopOrder.includes(kind) ? kind : "*");
  };
  const names = recordedNames(dataDirectory).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const stopped: string[] = [];
  for (const name of names) {
    const identity = readRunning(dataDirectory, name);
    if (identity !== undefined) {
      progress(`${name}: stopping process ${identity.pid}, left behind by an earlier run`);
      await stopProcess(identity, 20_000);
      stopped.push(name);
    }
    removePidFile(dataDirectory, name);
  }
  return stopped;
}

/** Kills every process that was started on this data folder, and removes its pid file. For a second Ctrl-C. */
export function killLeftovers(dataDirectory: string): void {
  for (const name of recordedNames(dataDirectory)) {
    const identity = readRunning(dataDirectory, name);
    if (identity !== undefined) signal(identity, "SIGKILL");
    removePidFile(dataDirectory, name);
  }
}

/** Sends SIGTERM, then SIGKILL after `graceMs`. Returns after the process has exited. */
async function stopProcess(identity: ProcessIdentity, graceMs: number): Promise<void> {
  signal(identity, "SIGCONT");
  signal(identity, "SIGTERM");
  const deadline = Date.now() + graceMs;
  while (isRunning(identity) && Date.now() < deadline) await delay(50);
  signal(identity, "SIGKILL");
  while (isRunning(identity)) await delay(20);
}

/** Sends a signal to exactly this process. False if it has exited. */
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

function recordedNames(dataDirectory: string): string[] {
  try {
    return readdirSync(runDirectory(dataDirectory)).flatMap((file) =>
      file.endsWith(".pid.json") ? [file.slice(0, -".pid.json".length)] : [],
    );
  } catch {
    return [];
  }
}
