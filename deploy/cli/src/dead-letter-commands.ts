import { createDeadLetters, type DeadLetterEntry, type ProducerRecord } from "@asset-register/events";
import { Command } from "commander";
import { auditRecords, describeEvent } from "./audit.ts";
import { openKafka } from "./connections.ts";
import { CliError, printRows } from "./output.ts";
import { eventJson, topicNamed } from "./tail.ts";

type Options = { topic?: string; group?: string; all?: boolean; json?: boolean };

export function deadLetterCommands(): Command {
  const commands = new Command("dlq").description(
    "Dead letters: events that a consumer group could not handle",
  );
  const add = (usage: string, description: string) =>
    commands
      .command(usage)
      .description(description)
      .option("--topic <name>", 'only from this topic, for example "asset.v1"')
      .option("--group <name>", "only of this consumer group")
      .option("--json", "print JSON");
  add("list", "List the dead letters by origin").action(list);
  add("show <id>", "Show the headers, the error and the event of one dead letter").action(show);
  add("retry [ids...]", "Send dead letters to their consumer group again; take the ids from list")
    .option("--all", "every dead letter that matches the filters")
    .action((ids: string[], options: Options) => retryOrDrop(ids, options, "retry"));
  add("drop [ids...]", "Delete dead letters permanently; their events are never handled")
    .option("--all", "every dead letter that matches the filters")
    .action((ids: string[], options: Options) => retryOrDrop(ids, options, "drop"));
  return commands;
}

async function list(options: Options): Promise<void> {
  const entries = await createDeadLetters(openKafka().kafka).list(options);
  printRows(entries.map(summary), options);
  if (entries.length === 0 && !options.json) console.log("No dead letters.");
}

async function show(id: string, options: Options): Promise<void> {
  const { kafka } = openKafka();
  const entries = await createDeadLetters(kafka).list(options);
  for (const entry of findByIds(entries, [id])) {
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
    const text = Object.entries(headers ?? {}).map(([name, content]) => [name, String(content)]);
    const event = eventJson(topic, entry.partition, record);
    console.log(JSON.stringify({ ...summary(entry), headers: Object.fromEntries(text), event }, null, 2));
  }
}

async function retryOrDrop(ids: string[], options: Options, action: "retry" | "drop"): Promise<void> {
  if (ids.length === 0 && !options.all) throw new CliError("Give the ids of the dead letters, or use --all.");
  const deadLetters = createDeadLetters(openKafka().kafka);
  const found = await deadLetters.list(options);
  const entries = ids.length === 0 ? found : findByIds(found, ids);
  if (entries.length > 0) {
    if (action === "retry") await deadLetters.retry(entries);
    else await deadLetters.drop(entries, auditOfDrop);
  }
  const rows = entries.map((entry) => ({ ...summary(entry), done: action }));
  printRows(rows, options);
  if (entries.length === 0 && !options.json) console.log("No dead letters.");
}

/** For the audit logs of the event's workspaces. */
function auditOfDrop({ topic, partition, offset, group, error, record }: DeadLetterEntry): ProducerRecord[] {
  const { workspaceIds, ...event } = describeEvent(topic, record);
  const details = { topic, partition, offset, group, error };
  return workspaceIds.flatMap((workspaceId) =>
    auditRecords("dead_letter.dropped", { ...event, workspaceId, details }),
  );
}

/** Finds entries by id. One event can be a dead letter of several groups: then `--group` is needed. */
function findByIds(entries: readonly DeadLetterEntry[], ids: readonly string[]): DeadLetterEntry[] {
  return ids.map((id) => {
    const [entry, ...others] = entries.filter((candidate) => candidate.id === id);
    if (entry === undefined) throw new CliError(`There is no dead letter "${id}".`);
    if (others.length > 0) throw new CliError(`"${id}" is a dead letter of several groups. Add --group.`);
    return entry;
  });
}

function summary({ id, group, error, at, attempts, eventId }: DeadLetterEntry) {
  return { id, group, event_id: eventId, attempts, at, error };
}
