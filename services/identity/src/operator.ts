import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { AppError, createLogger, loadConfig } from "@asset-register/runtime";
import { operatorSchema } from "./config.ts";
import { openContext } from "./open-context.ts";
import { type Commands, operatorCommands, UsageError } from "./operator-commands.ts";

/** Runs one command in this process, with the environment of the service. Prints JSON. */
async function main(argv: string[]): Promise<number> {
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
  const config = loadConfig(operatorSchema, process.env);
  const logger = createLogger({
    service: "identity-operator",
    level: config.LOG_LEVEL,
    // Standard output has only the answer.
    destination: process.stderr,
  });
  const { context, close } = await openContext(config, logger);
  try {
    const actor = { kind: "operator" as const, id: userInfo().username };
    const answer = await command.run(context, values, actor, config);
    console.log(JSON.stringify(answer, null, 2));
    return 0;
  } finally {
    await close();
  }
}

function explain(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const violations = error.violations.map(({ field, message }) => `  ${field} ${message}`);
  return [`${error.code}: ${error.message}`, ...violations].join("\n");
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explain(error));
  return 1;
});
