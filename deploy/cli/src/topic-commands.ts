import { checkTopics, createTopics } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { Command, InvalidArgumentError } from "commander";
import { type KafkaTools, openKafka } from "./connections.ts";
import { CliError, printRows } from "./output.ts";
import { tail } from "./tail.ts";

const declared = Object.values(topics);

export function topicCommands(): Command {
  const commands = new Command("topics").description("The topics that the platform publishes");
  commands
    .command("create")
    .description("Create what is missing and bring settings up to date; never changes a number of partitions")
    .option("--partitions <n>", "of new topics, fixed for their life (TOPIC_PARTITIONS, 12)", count)
    .option("--replication <n>", "of new topics (TOPIC_REPLICATION; 3 in production, else 1)", count)
    .option("--json", "print JSON")
    .action(create);
  commands
    .command("check")
    .description(
      "Compare the broker with the declaration; exit code 1 when something is missing, other or weak",
    )
    .option("--json", "print JSON")
    .action(check);
  commands
    .command("tail <topic>")
    .description('Follow a topic, for example "asset.v1", decoded; Ctrl-C ends it')
    .option("--from-beginning", "all that is there first")
    .option("--to-end", "end at the end instead of following")
    .option("--json", "one JSON object a line")
    .action((name: string, options) => tail(openKafka().kafka, name, options));
  return commands;
}

type Admin = ReturnType<KafkaTools["kafka"]["kafka"]["admin"]>;

async function withAdmin<T>(work: (admin: Admin, tools: KafkaTools) => Promise<T>): Promise<T> {
  const tools = openKafka();
  const admin = tools.kafka.kafka.admin();
  await admin.connect();
  try {
    return await work(admin, tools);
  } finally {
    await admin.disconnect();
  }
}

type CreateOptions = { partitions?: number; replication?: number; json?: boolean };

async function create(options: CreateOptions): Promise<void> {
  await withAdmin(async (admin, { config, kafka }) => {
    const production = config.NODE_ENV === "production";
    const partitions = options.partitions ?? config.TOPIC_PARTITIONS;
    const replication = options.replication ?? config.TOPIC_REPLICATION ?? (production ? 3 : 1);
    if (replication < 3)
      console.error(
        `Replication ${replication}: an acknowledged event does not survive the loss of a broker.`,
      );
    const settings = { prefix: kafka.prefix, replication, production, ...(partitions ? { partitions } : {}) };
    const outcome = await createTopics(admin, declared, settings).catch(explain);
    const rows = Object.entries(outcome).flatMap(([state, names]) =>
      names.map((topic) => ({ topic, state })),
    );
    printRows(rows, options);
  });
}

async function check(options: { json?: boolean }): Promise<void> {
  await withAdmin(async (admin, { config, kafka }) => {
    const production = config.NODE_ENV === "production";
    const partitions = config.TOPIC_PARTITIONS;
    const settings = { prefix: kafka.prefix, production, ...(partitions ? { partitions } : {}) };
    const problems = await checkTopics(admin, declared, settings);
    printRows(problems, options);
    if (problems.length > 0) process.exitCode = 1;
    else if (!options.json) console.log(`${declared.length} topics are as declared.`);
  });
}

function explain(error: unknown): never {
  throw new CliError(error instanceof Error ? error.message : String(error));
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("must be a whole number from 1");
  return value;
}
