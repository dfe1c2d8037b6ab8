import { listenForEnd } from "./ending.ts";
import type { LocalError } from "./errors.ts";
import { clearLeftovers } from "./leftovers.ts";
import { killLeftovers } from "./pid-file.ts";
import { acquireRunLock } from "./run-lock.ts";
import type { Progress } from "./types.ts";

/** What is up and can end in two ways. */
export type Running = { failed: Promise<LocalError>; stop(): Promise<void> };

/**
 * Holds the data folder's lock, brings something up, keeps it until the end is
 * asked for, and stops it in order. The end may be asked for before all is up.
 */
export async function runUntilEnded(
  { dataDirectory, progress }: { dataDirectory: string; progress: Progress },
  bringUp: () => Promise<Running>,
): Promise<void> {
  const lock = acquireRunLock(dataDirectory);
  const ending = listenForEnd(() => {
    progress("killed without order; `npm run stop` clears what may be left");
    killLeftovers(dataDirectory);
    lock.release();
    process.exit(1);
  });
  try {
    if (lock.takenOver) progress("an earlier run on this folder was killed; clearing what it left behind");
    await clearLeftovers(dataDirectory, progress);
    const asked = ending.then(() => "asked" as const);
    const running = await Promise.race([bringUp(), asked]);
    if (running === "asked") return await leaveStart(dataDirectory, progress);
    const fault = await Promise.race([asked, running.failed]);
    progress(fault === "asked" ? "stopping, in order" : `${fault.message} Stopping the rest, in order`);
    await running.stop();
    if (fault !== "asked") throw fault;
    progress("stopped");
  } finally {
    lock.release();
  }
}

/** Ends a start that is under way; a part may come up while another one is being stopped. */
async function leaveStart(dataDirectory: string, progress: Progress): Promise<void> {
  progress("leaving the start; stopping what is up");
  while ((await clearLeftovers(dataDirectory, progress)).length > 0);
  progress("stopped");
}
