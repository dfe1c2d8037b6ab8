import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, explainFileError, LocalError } from "./errors.ts";
import { readIdentity } from "./pid-file.ts";
import { identify, isRunning } from "./process-identity.ts";

export type RunLock = {
  /** Whether an earlier run was killed. It may have left processes behind. */
  takenOver: boolean;
  release(): void;
};

/** The lock file of a data folder. */
export function lockFile(dataDirectory: string): string {
  return join(dataDirectory, "run.lock");
}

/**
 * Locks a data folder, so that only one run uses it at a time. The lock of a process that no longer runs is taken
 * over.
 * @throws LocalError if another run holds the lock, or the folder can't be written
 */
export function acquireRunLock(dataDirectory: string): RunLock {
  const file = lockFile(dataDirectory);
  const own = identify(process.pid);
  if (own === undefined) throw new Error("the identity of this process is unknown");
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify(own));
  } catch (error) {
    throw explainFileError(error, dataDirectory);
  }
  try {
    return { takenOver: acquire(draft, file, dataDirectory), release: () => rmSync(file, { force: true }) };
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Creates the lock as a hard link, which is atomic: no process reads a lock without its content.
 * @returns whether the lock was taken over
 */
function acquire(draft: string, file: string, dataDirectory: string): boolean {
  if (tryLink(draft, file)) return false;
  assertNotHeld(file, dataDirectory);
  // Only one process at a time may replace a stale lock: a second one would remove the first one's new lock.
  const takeoverLock = `${file}.takeover`;
  if (!tryLink(draft, takeoverLock)) {
    assertNotHeld(takeoverLock, dataDirectory);
    rmSync(takeoverLock, { force: true });
    throw busy(dataDirectory, "another process");
  }
  try {
    assertNotHeld(file, dataDirectory);
    rmSync(file, { force: true });
    if (!tryLink(draft, file)) assertNotHeld(file, dataDirectory);
    return true;
  } finally {
    rmSync(takeoverLock, { force: true });
  }
}

function tryLink(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw explainFileError(error, file);
  }
}

function assertNotHeld(file: string, dataDirectory: string): void {
  const holder = readIdentity(file);
  if (holder !== undefined && isRunning(holder)) throw busy(dataDirectory, `process ${holder.pid}`);
}

function busy(dataDirectory: string, holder: string): LocalError {
  return new LocalError(
    `The platform already runs on ${dataDirectory} (${holder}).`,
    "Use that run, stop it with Ctrl-C in its terminal or `npm run stop`, or choose another folder with --data.",
  );
}
