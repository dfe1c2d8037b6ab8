import { ConfigError } from "@asset-register/runtime";
import { Command, CommanderError } from "commander";
import { archiveCommands } from "./archive-commands.ts";
import { consumerCommands } from "./consumer-commands.ts";
import { deadLetterCommands } from "./dead-letter-commands.ts";
import { eventCommands } from "./event-commands.ts";
import { keyCommands } from "./key-commands.ts";
import { outboxCommands } from "./outbox-commands.ts";
import { CliError } from "./output.ts";
import { secretCommands } from "./secret-commands.ts";
import { smokeCommands } from "./smoke-commands.ts";
import { topicCommands } from "./topic-commands.ts";
import { userCommands } from "./user-commands.ts";
import { whyCommands } from "./why-commands.ts";

const program = new Command("cli")
  .description(
    "Manages topics, consumers, dead letters, outboxes, republication, archived days, secrets at rest, keys and lost passwords, explains what did not arrive, and tests the platform. KAFKA_BROKERS and MONGO_URL name the servers.",
  )
  .exitOverride();
const all = [
  ...[topicCommands, consumerCommands, deadLetterCommands],
  ...[outboxCommands, eventCommands, archiveCommands, secretCommands, keyCommands, userCommands],
  ...[whyCommands, smokeCommands],
];
for (const commands of all) program.addCommand(commands());

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already printed the error. Its exit code is 0 for --help.
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    const expected = error instanceof CliError || error instanceof ConfigError;
    console.error(expected ? error.message : error);
    process.exitCode = 1;
  }
}
