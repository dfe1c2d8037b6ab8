import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf, explainFileError } from "./errors.ts";
import { readIdentity } from "./pid-file.ts";
import { identify, isRunning } from "./process-identity.ts";

/**
 * Claims a port for as long as this process lives: from the look that found it free until
 * its server binds it, and while that server restarts, others would find it free as well.
 *
 * @returns false when a process that runs, this one included, has claimed it
 */
export function claimPort(port: number): boolean {
  const file = claimFile(port);
  try {
    mkdirSync(directory(), { recursive: true });
    const holder = readIdentity(file);
    if (holder !== undefined && !isRunning(holder)) rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(identify(process.pid) ?? null), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw explainFileError(error, file);
  }
}

/** Whether this process has claimed it. */
export function isOurs(port: number): boolean {
  const holder = readIdentity(claimFile(port));
  return holder?.pid === process.pid && isRunning(holder);
}

// One for all data folders, of one user: another user could not write to it.
const directory = () => join(tmpdir(), `asset-register-ports-${process.getuid?.() ?? 0}`);

const claimFile = (port: number) => join(directory(), String(port));
