import type { ManagedProcess } from "./managed-process.ts";

/** A service exits at the latest after twice its SHUTDOWN_TIMEOUT_MS (16 s). This kills a process that hangs. */
const GRACE_MS = 20_000;

export type Restartable = {
  current(): ManagedProcess;
  /** Stops the process, also one that a restart starts at this moment. */
  stop(): Promise<void>;
  /** Stops the process and starts the next one. Returns whether it shall run: false after a stop meanwhile. */
  restart(start: () => Promise<ManagedProcess>): Promise<boolean>;
  /** Whether it shall run. */
  isWanted(): boolean;
};

/** A process that is replaced by the next one at each restart. */
export function restartable(first: ManagedProcess): Restartable {
  let current = first;
  let wanted = true;
  let restarting: Promise<unknown> = Promise.resolve();

  async function replace(start: () => Promise<ManagedProcess>): Promise<boolean> {
    await current.stop(GRACE_MS);
    if (wanted) current = await start();
    if (!wanted) await current.stop(GRACE_MS);
    return wanted;
  }

  return {
    current: () => current,
    isWanted: () => wanted,
    async stop() {
      wanted = false;
      await current.stop(GRACE_MS);
      await restarting;
    },
    restart(start) {
      wanted = true;
      const replaced = replace(start);
      restarting = replaced.catch(() => undefined);
      return replaced;
    },
  };
}
