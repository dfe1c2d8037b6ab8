import { createEventSkipper, createProducer, type KafkaConnection, retryTopic } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { createMetrics } from "@asset-register/runtime";
import { Command } from "commander";
import { type AuditedEvent, auditRecords, describeEvent } from "./audit.ts";
import { openKafka, withMongo } from "./connections.ts";
import { CliError, printRows } from "./output.ts";
import { topicNamed } from "./tail.ts";

type Options = { service: string; group?: string; database?: string; json?: boolean };

/** A paused partition is retried after at most 10 s. */
const WAIT_MS = 30_000;

export function consumerCommands(): Command {
  const commands = new Command("consumer").description("Consumer groups");
  commands
    .command("skip <topic> <partition> <offset>")
    .description(
      "Move an event that fails each time, and so blocks its partition, to the dead letters. " +
        "It must be the next event of the group. If its handler never ends, restart the service afterwards",
    )
    .requiredOption("--service <name>", "the service that consumes the event")
    .option("--group <name>", "its consumer group, if that has another name")
    .option("--database <name>", "the service's database (MONGO_DATABASE)")
    .option("--json", "print JSON")
    .action(skip);
  return commands;
}

async function skip(name: string, partitionText: string, offset: string, options: Options): Promise<void> {
  const { kafka, logger } = openKafka();
  const { service, group = service } = options;
  const partition = Number(partitionText);
  if (!Number.isSafeInteger(partition) || !/^\d+$/.test(offset))
    throw new CliError("The partition and the offset must be whole numbers.");
  const topic = consumedTopic(name, group, kafka.prefix);
  const id = `${topic.name}/${partition}/${offset}`;
  const state = await withMongo(options, async (mongo) => {
    const skipper = createEventSkipper(kafka, mongo, group);
    const place = { topic, partition };
    const next = await skipper.next(place);
    if (next?.offset !== offset) {
      const at = next === undefined ? "it has handled all events" : `its next event is ${next.offset}`;
      throw new CliError(`The group "${group}" does not wait at ${id}: ${at}.`);
    }
    const { workspaceIds, ...event } = describeEvent(topic.name, next);
    const details = { topic: topic.name, partition, offset, group };
    await sendAudit(
      { kafka, logger },
      workspaceIds.map((workspaceId) => ({ ...event, workspaceId, details })),
    );
    await skipper.ask(place, offset);
    return skipper.outcome(place, offset, WAIT_MS);
  });
  printRows([{ id, group, state }], options);
  if (state === "waiting" && !options.json)
    console.error("No consumer has read the request yet. It stays valid for 7 days.");
}

/** A topic, or the retry topic of the group, with or without the prefix: as the log of the consumer names it. */
function consumedTopic(name: string, group: string, prefix: string): { name: string } {
  const retries = `.${group}.retry`;
  if (!name.endsWith(retries)) return topicNamed(name, prefix);
  return retryTopic(topicNamed(name.slice(0, -retries.length), prefix), group);
}

/** Before the request: an operator's act without an entry would be worse than an entry without its act. */
async function sendAudit(
  { kafka, logger }: { kafka: KafkaConnection; logger: ReturnType<typeof openKafka>["logger"] },
  events: readonly AuditedEvent[],
): Promise<void> {
  const metrics = createMetrics({ service: "cli" });
  const producer = createProducer({ kafka, logger, metrics, topics: [topics.audit] });
  try {
    await producer.send(events.flatMap((event) => auditRecords("event.skipped", event)));
  } finally {
    await producer.disconnect();
  }
}
