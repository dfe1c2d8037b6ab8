import type { LocalError } from "./errors.ts";
import { clearLeftovers } from "./leftovers.ts";
import { killLeftovers } from "./pid-file.ts";
import { acquireRunLock } from "./run-lock.ts";
import { waitForShutdownSignal } from "./shutdown.ts";
import type { Progress } from "./types.ts";

/** A started platform or set of servers. `failed` resolves with the reason if a part of it exits unexpectedly. */
export type Running = { failed: Promise<LocalError>; stop(): Promise<void> };

/**
 * Locks the data folder, calls `start`, waits for a shutdown signal or a failure, and stops in order. The signal can
 * also come during `start`.
 * @throws LocalError if the folder is in use or a part exits unexpectedly; errors of `start`
 */
export async function runUntilShutdown(
  { dataDirectory, progress }: { dataDirectory: string; progress: Progress },
  start: () => Promise<Running>,
): Promise<void> {
  const lock = acquireRunLock(dataDirectory);
  const shutdown = waitForShutdownSignal(() => {
    progress("killed all processes; run `npm run stop` to clear anything left behind");
    killLeftovers(dataDirectory);
    lock.release();
    process.exit(1);
  });
  try {
    if (lock.takenOver) progress("an earlier run on this folder was killed; stopping what it left behind");
    await clearLeftovers(dataDirectory, progress);
    const signalled = shutdown.then(() => "signalled" as const);
    const running = await Promise.race([start(), signalled]);
    if (running === "signalled") return await abortStart(dataDirectory, progress);
    const fault = await Promise.race([signalled, running.failed]);
    progress(fault === "signalled" ? "stopping in order" : `${fault.message} Stopping the rest in order`);
    await running.stop();
    if (fault !== "signalled") throw fault;
    progress("stopped");
  } finally {
    lock.release();
  }
}

/** Stops everything during a start. It repeats, because a process may start while another is being stopped. */
async function abortStart(dataDirectory: string, progress: Progress): Promise<void> {
  progress("aborting the start; stopping what is running");
  while ((await clearLeftovers(dataDirectory, progress)).length > 0);
  progress("stopped");
}
