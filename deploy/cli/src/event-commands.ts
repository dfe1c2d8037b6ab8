import { republishAll } from "@asset-register/events";
import { Command } from "commander";
import { openKafka, withMongo } from "./connections.ts";
import { printRows } from "./output.ts";
import { findRepublisher } from "./republishers.ts";
import { topicNamed } from "./tail.ts";

type Options = { workspace?: string; database?: string; json?: boolean };

export function eventCommands(): Command {
  const commands = new Command("events").description("Published events");
  commands
    .command("republish <topic>")
    .description(
      "Publish the current state of every record of a topic, in a new epoch that overrides what consumers have seen. " +
        "Use it after a restore, or for a consumer that was down for longer than the topic's retention",
    )
    .option("--workspace <id>", "only the records of this workspace")
    .option("--database <name>", "database of the service that publishes the topic (MONGO_DATABASE)")
    .option("--json", "print JSON")
    .action(republish);
  return commands;
}

async function republish(name: string, options: Options): Promise<void> {
  const topic = topicNamed(name, openKafka().kafka.prefix);
  const { service, republish: readRecords } = await findRepublisher(topic.name);
  const { database, workspace } = options;
  const target = { service, ...(database === undefined ? {} : { database }) };
  const outcome = await withMongo(target, (mongo) =>
    republishAll(mongo, readRecords, {
      ...(workspace === undefined ? {} : { workspaceId: workspace }),
      onPage: (written) => options.json || console.error(`${written} events written`),
    }),
  );
  printRows([{ topic: topic.name, service, ...outcome }], options);
}
