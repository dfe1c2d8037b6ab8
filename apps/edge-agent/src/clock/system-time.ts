import { readFileSync } from "node:fs";
import { uptime } from "node:os";

/** The clocks of this machine, in milliseconds. */
export type SystemTime = {
  /** Of the epoch. It may be wrong, and it may jump. */
  wall(): number;
  /** Never jumps. It counts from the start of the machine, so it continues when the agent starts again. */
  monotonic(): number;
};

export const systemTime: SystemTime = {
  wall: () => Date.now(),
  monotonic: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
  },
};

/** Names the time since the machine was started: monotonic times of one name can be compared. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    // Not Linux. The minute of the start is exact enough.
    return `started ${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  }
}
