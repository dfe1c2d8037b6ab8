import type { EventEmitter } from "node:events";

/** Under npm one Ctrl-C comes twice, from the terminal and from npm, some milliseconds apart. */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. One that comes later than
 * the same Ctrl-C could calls `force`: whoever presses twice wants no order any more.
 */
export function listenForEnd(force: () => void, signals: EventEmitter = process): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const end = () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt >= SAME_PRESS_MS) force();
      else resolve();
    };
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) signals.on(name, end);
  });
}

/** Calls `kill` when this process exits, unless what it returns was called before. */
export function killWithUs(kill: () => void): () => void {
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.once("exit", kill);
  return () => {
    process.off("exit", kill);
    process.setMaxListeners(process.getMaxListeners() - 1);
  };
}
