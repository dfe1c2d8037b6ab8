import { createDeadLetters, type DeadLetterEntry } from "@asset-register/events";
import { Command } from "commander";
import { openKafka } from "./connections.ts";
import { CliError, printRows } from "./output.ts";
import { eventJson, topicNamed } from "./tail.ts";

type Chosen = { topic?: string; group?: string; all?: boolean; json?: boolean };

export function deadLetterCommands(): Command {
  const commands = new Command("dlq").description("Events that a consumer group could not handle");
  const add = (usage: string, description: string) =>
    commands
      .command(usage)
      .description(description)
      .option("--topic <name>", 'only from this topic, for example "asset.v1"')
      .option("--group <name>", "only of this group")
      .option("--json", "print JSON");
  add("list", "What lies there, by origin").action(list);
  add("show <id>", "One of them: headers, error and the event").action(show);
  add("retry [ids...]", "Give them to their group again; ids as listed")
    .option("--all", "all that the filters leave")
    .action((ids: string[], options: Chosen) => act(ids, options, "retry"));
  add("drop [ids...]", "Give them up for good")
    .option("--all", "all that the filters leave")
    .action((ids: string[], options: Chosen) => act(ids, options, "drop"));
  return commands;
}

async function list(options: Chosen): Promise<void> {
  const entries = await createDeadLetters(openKafka().kafka).list(options);
  printRows(entries.map(summary), options);
  if (entries.length === 0 && !options.json) console.log("No dead letters.");
}

async function show(id: string, options: Chosen): Promise<void> {
  const { kafka } = openKafka();
  const entries = await createDeadLetters(kafka).list(options);
  for (const entry of chosen(entries, [id])) {
    const topic = topicNamed(entry.topic, kafka.prefix);
    const { headers, value } = entry.record;
    const record = {
      key: null,
      timestamp: "0",
      attributes: 0,
      offset: entry.offset,
      headers: headers ?? {},
      value,
    };
    const text = Object.entries(headers ?? {}).map(([name, held]) => [name, String(held)]);
    const event = eventJson(topic, entry.partition, record);
    console.log(JSON.stringify({ ...summary(entry), headers: Object.fromEntries(text), event }, null, 2));
  }
}

async function act(ids: string[], options: Chosen, action: "retry" | "drop"): Promise<void> {
  if (ids.length === 0 && !options.all) throw new CliError("Name the dead letters, or say --all.");
  const letters = createDeadLetters(openKafka().kafka);
  const found = await letters.list(options);
  const entries = ids.length === 0 ? found : chosen(found, ids);
  if (entries.length > 0) await letters[action](entries);
  const rows = entries.map((entry) => ({ ...summary(entry), done: action }));
  printRows(rows, options);
  if (entries.length === 0 && !options.json) console.log("No dead letters.");
}

/** The same origin can be the dead letter of several groups: then `--group` decides. */
function chosen(entries: readonly DeadLetterEntry[], ids: readonly string[]): DeadLetterEntry[] {
  return ids.map((id) => {
    const [entry, ...others] = entries.filter((candidate) => candidate.id === id);
    if (entry === undefined) throw new CliError(`No dead letter "${id}".`);
    if (others.length > 0) throw new CliError(`"${id}" is a dead letter of several groups: say --group.`);
    return entry;
  });
}

function summary({ id, group, error, at, attempts, eventId }: DeadLetterEntry) {
  return { id, group, event_id: eventId, attempts, at, error };
}
