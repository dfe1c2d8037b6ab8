import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { AppError, createLogger, loadConfig } from "@asset-register/runtime";
import { operatorSchema } from "./config.ts";
import { openContext } from "./open-context.ts";
import { type Commands, operatorCommands, UsageError } from "./operator-commands.ts";

/**
 * Runs one command of the operators' tool in this process, with the environment of the service. The log goes to standard
 * error.
 * @returns the answer, for JSON
 * @throws UsageError if there is no such command, and what the command throws
 */
export async function runOperator(argv: string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  const [subject = "", verb = "", ...rest] = argv;
  const command: Commands[string] | undefined = operatorCommands[`${subject} ${verb}`];
  if (command === undefined) {
    throw new UsageError(
      `Usage:\n${Object.values(operatorCommands)
        .map(({ usage }) => `  ${usage}`)
        .join("\n")}`,
    );
  }
  const options = Object.fromEntries(command.options.map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ args: rest, options });
  const config = loadConfig(operatorSchema, env);
  const logger = createLogger({
    service: "identity-operator",
    level: config.LOG_LEVEL,
    // Standard output has only the answer.
    destination: process.stderr,
  });
  const { context, close } = await openContext(config, logger);
  try {
    const actor = { kind: "operator" as const, id: userInfo().username };
    return await command.run(context, values, actor, config);
  } finally {
    await close();
  }
}

/** The lines that tell an operator why a command failed. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const violations = error.violations.map(({ field, message }) => `  ${field} ${message}`);
  return [`${error.code}: ${error.message}`, ...violations].join("\n");
}
