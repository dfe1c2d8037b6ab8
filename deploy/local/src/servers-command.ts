import { rmSync } from "node:fs";
import { runUntilShutdown } from "./run-until-shutdown.ts";
import { serverEnvironment, startServers } from "./servers.ts";
import type { Progress } from "./types.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

export type ServersCommand = { dataDirectory: string; envFile: string | undefined; progress: Progress };

/**
 * Runs only the three servers until Ctrl-C, for tests and for services that are started by hand.
 * @throws LocalError if a server can't start or exits unexpectedly
 */
export async function runServers(command: ServersCommand): Promise<void> {
  const { dataDirectory, envFile, progress } = command;
  await runUntilShutdown(command, async () => {
    const servers = await startServers({ dataDirectory, progress });
    // Quoted for the shell, because the MongoDB URL contains "&".
    const lines = Object.entries(serverEnvironment(servers)).map(([name, value]) => `${name}='${value}'\n`);
    process.stdout.write(lines.join(""));
    if (envFile !== undefined) writeFileAtomically(envFile, lines.join(""));
    progress("ready; Ctrl-C stops the servers");
    return {
      failed: servers.failed,
      async stop() {
        if (envFile !== undefined) rmSync(envFile, { force: true });
        await servers.stop();
      },
    };
  });
}
