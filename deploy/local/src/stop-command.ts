import { LocalError } from "./errors.ts";
import { clearLeftovers } from "./leftovers.ts";
import { readIdentity, signal } from "./pid-file.ts";
import { isRunning } from "./process-identity.ts";
import { acquireRunLock, lockFile } from "./run-lock.ts";
import type { Progress } from "./types.ts";
import { waitFor } from "./wait.ts";

/**
 * Stops the run on this data folder in order, then the processes that a killed run left behind.
 * @throws LocalError if the run does not stop within 2 minutes
 */
export async function stopPlatform(command: { dataDirectory: string; progress: Progress }): Promise<void> {
  const { dataDirectory, progress } = command;
  const holder = readIdentity(lockFile(dataDirectory));
  const wasRunning = holder !== undefined && isRunning(holder);
  if (wasRunning) {
    progress(`asking the run on ${dataDirectory} (process ${holder.pid}) to stop`);
    // A process that is suspended by Ctrl-Z handles no other signal before SIGCONT.
    signal(holder, "SIGCONT");
    signal(holder, "SIGTERM");
    await waitFor({
      what: "waiting until it has stopped",
      attempt: async () => {
        if (isRunning(holder)) throw new Error("still running");
      },
      timeoutMs: 120_000,
      progress,
      timedOut: () =>
        new LocalError(
          `The run (process ${holder.pid}) has not stopped within 2 minutes.`,
          `Kill it with \`kill -9 ${holder.pid}\`. Then run \`npm run stop\` again.`,
        ),
    });
  }
  // The lock prevents a new run, whose processes would look like leftovers.
  const lock = acquireRunLock(dataDirectory);
  try {
    const stopped = await clearLeftovers(dataDirectory, progress);
    if (stopped.length > 0) progress(`stopped leftovers of an earlier run: ${stopped.join(", ")}`);
    else progress(wasRunning ? "stopped" : `nothing was running on ${dataDirectory}`);
  } finally {
    lock.release();
  }
}
