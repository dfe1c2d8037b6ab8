import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const fileIn = (directory: string): string => path.join(directory, "control.token");

/**
 * Makes a token by which commands of the agent's user control the running agent. Only this user can read it, so neither
 * other users of the machine nor pages in a browser can do it.
 */
export function writeControlToken(directory: string): string {
  const token = randomBytes(32).toString("base64url");
  // A file that exists would keep its mode.
  rmSync(fileIn(directory), { force: true });
  writeFileSync(fileIn(directory), token, { mode: 0o600 });
  return token;
}

/** Undefined if no agent has used the folder. */
export function readControlToken(directory: string): string | undefined {
  return existsSync(fileIn(directory)) ? readFileSync(fileIn(directory), "utf8") : undefined;
}
