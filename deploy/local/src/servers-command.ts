import { renameSync, rmSync, writeFileSync } from "node:fs";
import { listenForEnd } from "./ending.ts";
import { explainFileError } from "./errors.ts";
import { clearLeftovers, killLeftovers } from "./pid-file.ts";
import { acquireRunLock } from "./run-lock.ts";
import { serverEnvironment, startServers } from "./servers.ts";
import type { Progress } from "./types.ts";

export type ServersCommand = { dataDirectory: string; envFile: string | undefined; progress: Progress };

/** Runs the three servers alone until Ctrl-C, for tests and for services started by hand. */
export async function runServers(command: ServersCommand): Promise<void> {
  const { dataDirectory, envFile, progress } = command;
  const lock = acquireRunLock(dataDirectory);
  const ending = listenForEnd(() => {
    killLeftovers(dataDirectory);
    lock.release();
    process.exit(1);
  });
  try {
    await clearLeftovers(dataDirectory, progress);
    const servers = await startServers({ dataDirectory, progress });
    const lines = Object.entries(serverEnvironment(servers))
      .map(([name, value]) => `${name}='${value}'\n`)
      .join("");
    process.stdout.write(lines);
    if (envFile !== undefined) writeWhole(envFile, lines);
    progress("ready; Ctrl-C stops the servers");
    await ending.asked;
    if (envFile !== undefined) rmSync(envFile, { force: true });
    progress("stopping the servers");
    await servers.stop();
  } finally {
    lock.release();
  }
}

/** Readers that wait for the file to appear must not see half of it. */
function writeWhole(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw explainFileError(error, file);
  }
}
