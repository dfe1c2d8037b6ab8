import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { AppError, createLogger, loadConfig } from "@asset-register/runtime";
import { operatorSchema } from "./config.ts";
import { openStore } from "./open-store.ts";
import { type Commands, operatorCommands, UsageError } from "./operator-commands.ts";

/** One command of the operators, in this process, with the service's own environment. Prints JSON. */
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
    // Standard output is the answer's alone.
    destination: process.stderr,
  });
  const store = await openStore(config, { logger });
  try {
    const actor = { kind: "operator" as const, id: userInfo().username };
    const answer = await command.run(store.identity, values, actor, config);
    console.log(JSON.stringify(answer, null, 2));
    return 0;
  } finally {
    await store.close();
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
