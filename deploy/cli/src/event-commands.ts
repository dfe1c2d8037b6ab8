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
      "Publish the current state of all that a topic tells of, in a new epoch that overrides what consumers have seen: " +
        "after a restore, or for a consumer that was away for longer than the topic keeps",
    )
    .option("--workspace <id>", "only this workspace's")
    .option("--database <name>", "of the service that publishes it (MONGO_DATABASE)")
    .option("--json", "print JSON")
    .action(republish);
  return commands;
}

async function republish(name: string, options: Options): Promise<void> {
  const topic = topicNamed(name, openKafka().kafka.prefix);
  const { service, republish: read } = await findRepublisher(topic.name);
  const { database, workspace } = options;
  const place = { service, ...(database === undefined ? {} : { database }) };
  const outcome = await withMongo(place, (mongo) =>
    republishAll(mongo, read, {
      ...(workspace === undefined ? {} : { workspaceId: workspace }),
      onPage: (written) => options.json || console.error(`${written} events written`),
    }),
  );
  printRows([{ topic: topic.name, service, ...outcome }], options);
}
