import { readFileSync } from "node:fs";

/** The length of a clock tick in /proc, in microseconds: 100 per second on every Linux that runs Node. */
const TICK_US = 10_000;

/**
 * The CPU time of a process with all its threads, in microseconds. Undefined without /proc. It is meaningful even
 * while the machine does other work.
 */
export function cpuTime(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses can contain anything. utime and stime are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  } catch {
    return undefined;
  }
}
