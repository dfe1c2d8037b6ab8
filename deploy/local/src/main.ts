import { parseCommand } from "./arguments.ts";
import { describeError } from "./errors.ts";
import { runServers } from "./servers-command.ts";

const progress = (line: string) => process.stderr.write(`${line}\n`);

try {
  const command = parseCommand(process.argv.slice(2), process.env);
  if (command.verb === "servers") await runServers({ ...command, progress });
  process.exit(0);
} catch (error) {
  process.stderr.write(`\n${describeError(error)}\n`);
  process.exit(1);
}
