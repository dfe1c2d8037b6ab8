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
  let takenOver = false;
  for (;;) {
    try {
      linkSync(draft, file);
      return takenOver;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw explainFileError(error, file);
    }
    const holder = readIdentity(file);
    if (holder !== undefined && isRunning(holder))
      throw new LocalError(
        `The platform already runs on ${dataDirectory} (process ${holder.pid}).`,
        "Use it as it is, end it with Ctrl-C in its terminal or `npm run stop`, or give another folder with --data.",
      );
    rmSync(file, { force: true });
    takenOver = true;
  }
}
