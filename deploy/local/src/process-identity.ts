import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process that can't be mistaken for a later one with the same number. */
export type ProcessIdentity = { pid: number; startedAt: string };

/**
 * Identifies a running process by its number and start, or undefined when no
 * such process runs. A pid alone is not enough: the system hands it out again,
 * and `stop` must never end a stranger.
 */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === "linux" ? linuxStart(pid) : psStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether exactly this process still runs (a zombie does not, once all of its threads have ended). */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in field 2 may hold spaces and brackets; the rest begins after its last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
    // A zombie whose other threads still end, as a database's many do, holds its ports and files until the last has.
    const ended = state === "X" || (state === "Z" && threads <= 1);
    if (ended || ticks === undefined) return undefined;
    // Ticks count from the boot, so the boot belongs to the identity.
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
