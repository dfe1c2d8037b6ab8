import { createParkedRows, listHeldRows } from "@asset-register/events";
import { Command } from "commander";
import { auditEntries } from "./audit.ts";
import { withMongo } from "./connections.ts";
import { CliError, printRows } from "./output.ts";

type Options = { service: string; database?: string; all?: boolean; json?: boolean };

export function outboxCommands(): Command {
  const commands = new Command("outbox").description(
    "Events that are not sent: parked because of their content, or held because of their topic",
  );
  const add = (usage: string, description: string) =>
    commands
      .command(usage)
      .description(description)
      .requiredOption("--service <name>", "the service whose outbox it is")
      .option("--database <name>", "the service's database (MONGO_DATABASE)")
      .option("--json", "print JSON");
  add("parked", "List the parked events, and how many events wait behind each").action(parked);
  add(
    "held",
    "List the topics and partitions that can't be written, and the events that wait for them; the relay retries them",
  ).action(held);
  add(
    "retry [ids...]",
    "Send parked events again, after the cause is fixed (for example the topic's max.message.bytes)",
  )
    .option("--all", "every parked event")
    .action(retry);
  add("drop <ids...>", "Delete parked events permanently; the events behind them are sent").action(drop);
  return commands;
}

async function parked(options: Options): Promise<void> {
  const rows = await withMongo(options, (mongo) => createParkedRows(mongo).list());
  printRows(
    rows.map(({ eventId, ...row }) => ({ event_id: eventId, ...row })),
    options,
  );
  if (rows.length === 0 && !options.json) console.log("No events are parked.");
}

async function held(options: Options): Promise<void> {
  const rows = await withMongo(options, listHeldRows);
  printRows(rows, options);
  if (rows.length === 0 && !options.json) console.log("No events are held.");
}

async function retry(ids: string[], options: Options): Promise<void> {
  if (ids.length === 0 && !options.all) throw new CliError("Give the event ids, or use --all.");
  const retried = await withMongo(options, (mongo) =>
    createParkedRows(mongo).retry(ids.length > 0 ? ids : undefined),
  );
  printRows([{ retried }], options);
}

async function drop(ids: string[], options: Options): Promise<void> {
  const dropped = await withMongo(options, (mongo) =>
    createParkedRows(mongo).drop(ids, ({ topic, ...event }) =>
      auditEntries("outbox_event.dropped", { ...event, details: { topic, type: event.type } }),
    ),
  );
  printRows([{ dropped }], options);
}
