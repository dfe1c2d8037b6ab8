import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf, explainFileError } from "./errors.ts";
import { readIdentity } from "./pid-file.ts";
import { identify, isRunning } from "./process-identity.ts";

/**
 * Claims a port for the lifetime of this process. Without a claim, other processes would also find the port free
 * until the server binds it, and again while the server restarts.
 *
 * @returns false if a running process, including this one, has already claimed the port
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

/** Whether this process has claimed the port. */
export function isClaimedByThisProcess(port: number): boolean {
  const holder = readIdentity(claimFile(port));
  return holder?.pid === process.pid && isRunning(holder);
}

// Shared by all data folders of one user. Other users could not write to it, so each user has a folder.
const directory = () => join(tmpdir(), `asset-register-ports-${process.getuid?.() ?? 0}`);

const claimFile = (port: number) => join(directory(), String(port));
