import { rmSync } from "node:fs";
import { runUntilEnded } from "./run-command.ts";
import { serverEnvironment, startServers } from "./servers.ts";
import type { Progress } from "./types.ts";
import { writeWhole } from "./write-whole.ts";

export type ServersCommand = { dataDirectory: string; envFile: string | undefined; progress: Progress };

/** Runs the three servers alone until Ctrl-C, for tests and for services started by hand. */
export async function runServers(command: ServersCommand): Promise<void> {
  const { dataDirectory, envFile, progress } = command;
  await runUntilEnded(command, async () => {
    const servers = await startServers({ dataDirectory, progress });
    // Quoted, because the MongoDB URL holds a "&".
    const lines = Object.entries(serverEnvironment(servers)).map(([name, value]) => `${name}='${value}'\n`);
    process.stdout.write(lines.join(""));
    if (envFile !== undefined) writeWhole(envFile, lines.join(""));
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
