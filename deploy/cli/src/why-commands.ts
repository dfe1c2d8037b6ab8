import { Command, InvalidArgumentError } from "commander";
import { CliError } from "./output.ts";

type Options = { databasePrefix?: string; json?: boolean };

const DAY_MS = 86_400_000;

/** The modules of services are loaded only when a command runs, since other commands do not need them. */
const load = async () => ({
  ...(await import("./why/delivery.ts")),
  ...(await import("./why/movement.ts")),
  ...(await import("./why/rules.ts")),
  ...(await import("./why/step.ts")),
  ...(await import("./why/tools.ts")),
});

export function whyCommands(): Command {
  const commands = new Command("why").description(
    "Why did it not arrive? Follows a cause to its effect and reports the step that stopped it. It changes nothing",
  );
  const add = (usage: string, description: string) =>
    commands
      .command(usage)
      .description(description)
      .option(
        "--database-prefix <prefix>",
        "what the names of the databases begin with (mongo.databasePrefix)",
      )
      .option("--json", "print JSON");
  add(
    "delivery <id>",
    "A webhook or a mail, by the id of the delivery, message, event, movement, checkout or alert",
  )
    .option("--webhook <id>", "only this subscription")
    .action(whyDelivery);
  add("movement <id>", "A movement, or the last one of an asset, on its way to the webhooks")
    .option("--webhook <id>", "only this subscription")
    .action(whyMovement);
  add(
    "alert <id>",
    "An alert, by its id; or an asset, a reader, epc:<code> or a rule for which none was raised",
  )
    .option("--rule <id>", "only this rule")
    .option("--since <time>", "sightings since this time (24 h ago)", parseTime)
    .action(whyAlert);
  return commands;
}

async function whyDelivery(id: string, options: Options & { webhook?: string }): Promise<void> {
  const { followToWebhooks, printSteps, withTools } = await load();
  await withTools(options, (tools) => printSteps(followToWebhooks(tools, id, options.webhook), options));
}

async function whyMovement(id: string, options: Options & { webhook?: string }): Promise<void> {
  if (!/^(mov|ast)_/.test(id)) throw new CliError(`"${id}" is no id of a movement or an asset.`);
  const { followMovement, printSteps, withTools } = await load();
  await withTools(options, (tools) => printSteps(followMovement(tools, id, options.webhook), options));
}

async function whyAlert(id: string, options: Options & { rule?: string; since?: Date }): Promise<void> {
  const { rule: ruleId, since = new Date(Date.now() - DAY_MS) } = options;
  const { followToAlert, printSteps, withTools } = await load();
  await withTools(options, (tools) => printSteps(followToAlert(tools, { id, ruleId, since }), options));
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError("must be a time, such as 2026-11-25T10:00:00Z");
  return time;
}
