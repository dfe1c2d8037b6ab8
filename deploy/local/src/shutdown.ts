import type { EventEmitter } from "node:events";

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm, some milliseconds apart. */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. A signal at least 1 s after the first is a second Ctrl-C:
 * it calls `force`, because the user no longer wants to wait for an orderly shutdown.
 */
export function waitForShutdownSignal(force: () => void, signals: EventEmitter = process): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt >= SAME_PRESS_MS) force();
      else resolve();
    };
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) signals.on(name, onSignal);
  });
}

/**
 * Calls `kill` when this process exits.
 * @returns a function that cancels this
 */
export function killOnExit(kill: () => void): () => void {
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.once("exit", kill);
  return () => {
    process.off("exit", kill);
    process.setMaxListeners(process.getMaxListeners() - 1);
  };
}
