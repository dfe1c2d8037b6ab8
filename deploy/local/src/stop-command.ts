import { LocalError } from "./errors.ts";
import { clearLeftovers } from "./leftovers.ts";
import { readIdentity, signal } from "./pid-file.ts";
import { isRunning } from "./process-identity.ts";
import { acquireRunLock, lockFile } from "./run-lock.ts";
import type { Progress } from "./types.ts";
import { waitFor } from "./wait.ts";

/** Ends a run on this data folder in order, then whatever a killed one left behind there. */
export async function stopPlatform(command: { dataDirectory: string; progress: Progress }): Promise<void> {
  const { dataDirectory, progress } = command;
  const holder = readIdentity(lockFile(dataDirectory));
  const wasRunning = holder !== undefined && isRunning(holder);
  if (wasRunning) {
    progress(`asking the run on ${dataDirectory} (process ${holder.pid}) to stop`);
    // One that Ctrl-Z has suspended hears nothing else before.
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
          `End it with \`kill -9 ${holder.pid}\`, then run \`npm run stop\` again.`,
        ),
    });
  }
  // Held meanwhile: what a run that begins now starts is no leftover.
  const lock = acquireRunLock(dataDirectory);
  try {
    const ended = await clearLeftovers(dataDirectory, progress);
    if (ended.length > 0) progress(`stopped what was left behind: ${ended.join(", ")}`);
    else progress(wasRunning ? "stopped" : `nothing was running on ${dataDirectory}`);
  } finally {
    lock.release();
  }
}
