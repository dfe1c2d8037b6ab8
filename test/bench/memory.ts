import { readFileSync } from "node:fs";

/** The resident memory of a process. 0 without /proc. */
export function residentMiB(pid: number): number {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Math.round(Number(kib) / 1024);
  } catch {
    return 0;
  }
}
