import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "./types.ts";

export type Wait = {
  /** The text of the progress line, for example "kafka: waiting for the broker". */
  what: string;
  /** Resolves if ready, throws if not yet. */
  attempt: () => Promise<void>;
  timeoutMs: number;
  progress: Progress;
  /** Throws if waiting is pointless, for example after the process has exited. */
  check?: () => Promise<void> | void;
  /** Makes the error after `timeoutMs`. */
  timedOut: (lastError: unknown) => Error;
};

/**
 * Calls `attempt` every 100 ms until it succeeds, and reports progress every 3 s.
 * @throws the error of `timedOut` after `timeoutMs`, or of `check`
 */
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
