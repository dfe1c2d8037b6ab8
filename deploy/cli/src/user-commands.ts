import path from "node:path";
import { pathToFileURL } from "node:url";
import { kafkaSettings } from "@asset-register/events";
import { ConfigError } from "@asset-register/runtime";
import { Command } from "commander";
import { z } from "zod";
import { localDatabase } from "./connections.ts";
import { CliError } from "./output.ts";

const OPERATOR = path.resolve(import.meta.dirname, "../../../services/identity/src/run-operator.ts");

type Operator = (argv: string[], env: NodeJS.ProcessEnv) => Promise<unknown>;
type Explain = (error: unknown) => string;
const operatorSchema = z.object({
  runOperator: z.custom<Operator>((value) => typeof value === "function"),
  explainFailure: z.custom<Explain>((value) => typeof value === "function"),
});

export function userCommands(): Command {
  const commands = new Command("users").description("Accounts that nobody can sign in to any more");
  commands
    .command("reset-link")
    .description("Print a link to choose a new password, valid once and for 30 minutes; PUBLIC_URL begins it")
    .argument("<email>", "of an active user")
    .option("--database <name>", "the database of identity (MONGO_DATABASE)")
    .action((email: string, { database }: { database?: string }) =>
      runIdentity(["user", "reset-link", "--email", email], database),
    );
  commands
    .command("reset-mfa")
    .description("Remove all second factors of a user who has lost them, and end the user's sessions")
    .argument("<email>", "of a user")
    .option("--database <name>", "the database of identity (MONGO_DATABASE)")
    .action((email: string, { database }: { database?: string }) =>
      runIdentity(["user", "reset-mfa", "--email", email], database),
    );
  commands
    .command("allow-passwords")
    .description("Stop requiring single sign-on in the workspace of a user, whose provider is out of order")
    .argument("<email>", "of a user of the workspace")
    .option("--database <name>", "the database of identity (MONGO_DATABASE)")
    .action((email: string, { database }: { database?: string }) =>
      runIdentity(["user", "allow-passwords", "--email", email], database),
    );
  return commands;
}

/**
 * Runs a command of identity's tool for operators, and prints its answer as JSON.
 * @throws CliError if it fails
 */
async function runIdentity(argv: string[], database: string | undefined): Promise<void> {
  const { runOperator, explainFailure } = operatorSchema.parse(await import(pathToFileURL(OPERATOR).href));
  const prefix = kafkaSettings.TOPIC_PREFIX.parse(process.env.TOPIC_PREFIX);
  const local = localDatabase(prefix, "identity");
  const env = { ...process.env, MONGO_DATABASE: database ?? process.env.MONGO_DATABASE ?? local };
  const answer = await runOperator(argv, env).catch((error: unknown) => {
    throw error instanceof ConfigError ? error : new CliError(explainFailure(error));
  });
  console.log(JSON.stringify(answer, null, 2));
}
