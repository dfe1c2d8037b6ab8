import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Identifies a process. A later process with the same pid has another identity. */
export type ProcessIdentity = { pid: number; startedAt: string };

/**
 * The identity of a running process: its pid and start time. Undefined if no process with this pid runs. A pid alone
 * is not enough, because the system reuses it, and `stop` must never stop a foreign process.
 */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === "linux" ? linuxStart(pid) : psStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether exactly this process still runs. A zombie counts as ended after all of its threads have exited. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 2, the name, may contain spaces and parentheses. The other fields start after its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
    // A zombie whose other threads are still exiting holds its ports and files until the last one has exited.
    // Databases have many threads.
    const ended = state === "X" || (state === "Z" && threads <= 1);
    if (ended || ticks === undefined) return undefined;
    // The start time is in ticks since boot, so the boot id is part of the identity.
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${ticks}`;
  } catch {
    return undefined;
  }
}

function psStart(pid: number): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return line === "" || line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
  } catch {
    return undefined;
  }
}
