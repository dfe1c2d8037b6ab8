import { parseCommand } from "./arguments.ts";
import { describeError } from "./errors.ts";
import { runServers } from "./servers-command.ts";
import { runPlatform } from "./start-command.ts";
import { stopPlatform } from "./stop-command.ts";

const run = { start: runPlatform, stop: stopPlatform, servers: runServers };
const progress = (line: string) => process.stderr.write(`${line}\n`);

try {
  const command = parseCommand(process.argv.slice(2), process.env);
  await run[command.verb]({ ...command, progress });
  process.exit(0);
} catch (error) {
  process.stderr.write(`\n${describeError(error)}\n`);
  process.exit(1);
}
