import { type Command, parseCommand } from "./arguments.ts";
import { controlCluster } from "./cluster/control.ts";
import { runCluster } from "./cluster/start-cluster-command.ts";
import { describeError } from "./errors.ts";
import { runServers } from "./servers-command.ts";
import { runPlatform } from "./start-command.ts";
import { stopPlatform } from "./stop-command.ts";
import type { Progress } from "./types.ts";

const run = {
  start: (command: Command & { progress: Progress }) =>
    command.cluster ? runCluster(command) : runPlatform(command),
  stop: stopPlatform,
  servers: runServers,
  cluster: async ({ rest, dataDirectory }: Command) => {
    process.stdout.write(await controlCluster(rest, dataDirectory));
  },
};
const progress = (line: string) => process.stderr.write(`${line}\n`);

try {
  const command = parseCommand(process.argv.slice(2), process.env);
  await run[command.verb]({ ...command, progress });
  process.exit(0);
} catch (error) {
  process.stderr.write(`\n${describeError(error)}\n`);
  process.exit(1);
}
