import { readFileSync } from "node:fs";

/** Of one tick of /proc's clock, in microseconds; 100 a second on every Linux that Node runs on. */
const TICK_US = 10_000;

/**
 * CPU time that a process has used so far, in microseconds, its threads
 * included; undefined where there is no /proc. It tells where the time goes
 * even while the machine does other work.
 */
export function cpuTime(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may hold anything; utime and stime are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  } catch {
    return undefined;
  }
}
