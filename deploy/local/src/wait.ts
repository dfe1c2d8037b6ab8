import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "./types.ts";

export type Wait = {
  /** For the progress line: "kafka: waiting for the broker". */
  what: string;
  /** Resolves when ready, throws when not yet. */
  attempt: () => Promise<void>;
  timeoutMs: number;
  progress: Progress;
  /** Throws when waiting longer makes no sense, such as after the process ended. */
  check?: () => Promise<void> | void;
  /** Makes the error when time is up. */
  timedOut: (lastError: unknown) => Error;
};

/** Tries until it works, with a line every 3 s so that nobody wonders whether it hangs. */
export async function waitFor(wait: Wait): Promise<void> {
  const start = Date.now();
  let nextLine = start + 3_000;
  for (;;) {
    await wait.check?.();
    let lastError: unknown;
    try {
      await wait.attempt();
      return;
    } catch (error) {
      lastError = error;
    }
    const now = Date.now();
    if (now - start > wait.timeoutMs) {
      await wait.check?.();
      throw wait.timedOut(lastError);
    }
    if (now >= nextLine) {
      wait.progress(`${wait.what} (${Math.round((now - start) / 1000)} s)`);
      nextLine = now + 3_000;
    }
    await delay(100);
  }
}
