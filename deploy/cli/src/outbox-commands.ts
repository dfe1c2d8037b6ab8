import { createParkedRows } from "@asset-register/events";
import { Command } from "commander";
import { withMongo } from "./connections.ts";
import { CliError, printRows } from "./output.ts";

type Options = { service: string; database?: string; all?: boolean; json?: boolean };

export function outboxCommands(): Command {
  const commands = new Command("outbox").description("Events that the broker refuses for their content");
  const add = (usage: string, description: string) =>
    commands
      .command(usage)
      .description(description)
      .requiredOption("--service <name>", "whose outbox")
      .option("--database <name>", "its database (MONGO_DATABASE)")
      .option("--json", "print JSON");
  add("parked", "What is parked, and how much waits behind it").action(parked);
  add(
    "retry [ids...]",
    "Send them again, once their cause is mended (a topic's max.message.bytes, for instance)",
  )
    .option("--all", "all that are parked")
    .action(retry);
  add("drop <ids...>", "Give them up for good; the events behind them go on").action(drop);
  return commands;
}

async function parked(options: Options): Promise<void> {
  const rows = await withMongo(options, (mongo) => createParkedRows(mongo).list());
  printRows(
    rows.map(({ eventId, ...row }) => ({ event_id: eventId, ...row })),
    options,
  );
  if (rows.length === 0 && !options.json) console.log("Nothing is parked.");
}

async function retry(ids: string[], options: Options): Promise<void> {
  if (ids.length === 0 && !options.all) throw new CliError("Name the event ids, or say --all.");
  const retried = await withMongo(options, (mongo) =>
    createParkedRows(mongo).retry(ids.length > 0 ? ids : undefined),
  );
  printRows([{ retried }], options);
}

async function drop(ids: string[], options: Options): Promise<void> {
  const dropped = await withMongo(options, (mongo) => createParkedRows(mongo).drop(ids));
  printRows([{ dropped }], options);
}
