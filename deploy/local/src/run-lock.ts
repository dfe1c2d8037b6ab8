import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, explainFileError, LocalError } from "./errors.ts";
import { readIdentity } from "./pid-file.ts";
import { identify, isRunning } from "./process-identity.ts";

export type RunLock = {
  /** Whether an earlier run had been killed and may have left processes behind. */
  takenOver: boolean;
  release(): void;
};

/** The lock file of a data folder. */
export function lockFile(dataDirectory: string): string {
  return join(dataDirectory, "run.lock");
}

/**
 * Lets one run at a time use a data folder. A lock whose process is gone is
 * taken over.
 */
export function acquireRunLock(dataDirectory: string): RunLock {
  const file = lockFile(dataDirectory);
  const own = identify(process.pid);
  if (own === undefined) throw new Error("this process can't identify itself");
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, JSON.stringify(own));
  } catch (error) {
    throw explainFileError(error, dataDirectory);
  }
  try {
    return { takenOver: place(draft, file, dataDirectory), release: () => rmSync(file, { force: true }) };
  } finally {
    rmSync(draft, { force: true });
  }
}

// A link is made whole or not at all, so nobody reads a lock without its content.
function place(draft: string, file: string, dataDirectory: string): boolean {
  if (linked(draft, file)) return false;
  refuseIfHeld(file, dataDirectory);
  // One at a time may replace a stale lock: a second one would remove the first one's new lock.
  const turn = `${file}.takeover`;
  if (!linked(draft, turn)) {
    refuseIfHeld(turn, dataDirectory);
    rmSync(turn, { force: true });
    throw busy(dataDirectory, "another one");
  }
  try {
    refuseIfHeld(file, dataDirectory);
    rmSync(file, { force: true });
    if (!linked(draft, file)) refuseIfHeld(file, dataDirectory);
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

function linked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw explainFileError(error, file);
  }
}

function refuseIfHeld(file: string, dataDirectory: string): void {
  const holder = readIdentity(file);
  if (holder !== undefined && isRunning(holder)) throw busy(dataDirectory, `process ${holder.pid}`);
}

function busy(dataDirectory: string, holder: string): LocalError {
  return new LocalError(
    `The platform already runs on ${dataDirectory} (${holder}).`,
    "Use it as it is, end it with Ctrl-C in its terminal or `npm run stop`, or give another folder with --data.",
  );
}
