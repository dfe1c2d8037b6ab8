import { checkInternalTopics, checkTopics, createTopics } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { Command, InvalidArgumentError } from "commander";
import { type KafkaTools, openKafka } from "./connections.ts";
import { CliError, printRows } from "./output.ts";
import { tail } from "./tail.ts";

const declared = Object.values(topics);

export function topicCommands(): Command {
  const commands = new Command("topics").description("Topics that the platform publishes");
  commands
    .command("create")
    .description("Create missing topics and update settings; never changes the number of partitions")
    .option(
      "--partitions <n>",
      "partitions of new topics, which can never change (TOPIC_PARTITIONS, 12)",
      parseCount,
    )
    .option(
      "--replication <n>",
      "replicas of new topics (TOPIC_REPLICATION; 3 in production, else 1)",
      parseCount,
    )
    .option("--json", "print JSON")
    .action(create);
  commands
    .command("check")
    .description(
      "Compare the broker with the declared topics; exit code 1 if a topic is missing, different or too weak",
    )
    .option("--json", "print JSON")
    .action(check);
  commands
    .command("tail <topic>")
    .description('Follow a topic, for example "asset.v1", and decode its events; Ctrl-C ends it')
    .option("--from-beginning", "start with the oldest event")
    .option("--to-end", "stop at the end of the topic")
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
    const production = requiresReplicas(config);
    const partitions = options.partitions ?? config.TOPIC_PARTITIONS;
    const replication = options.replication ?? config.TOPIC_REPLICATION ?? (production ? 3 : 1);
    if (replication < 3)
      console.error(`Replication ${replication}: acknowledged events can be lost if a broker is lost.`);
    const settings = { prefix: kafka.prefix, replication, production, ...(partitions ? { partitions } : {}) };
    const outcome = await createTopics(admin, declared, settings).catch(asCliError);
    const rows = Object.entries(outcome).flatMap(([state, names]) =>
      names.map((topic) => ({ topic, state })),
    );
    printRows(rows, options);
  });
}

async function check(options: { json?: boolean }): Promise<void> {
  await withAdmin(async (admin, { config, kafka }) => {
    const production = requiresReplicas(config);
    const partitions = config.TOPIC_PARTITIONS;
    const settings = { prefix: kafka.prefix, production, ...(partitions ? { partitions } : {}) };
    const problems = await checkTopics(admin, declared, settings);
    if (production) problems.push(...(await checkInternalTopics(admin)));
    printRows(problems, options);
    if (problems.length > 0) process.exitCode = 1;
    else if (!options.json) console.log(`${declared.length} topics match their declaration.`);
  });
}

const requiresReplicas = ({ NODE_ENV, KAFKA_SINGLE_BROKER }: KafkaTools["config"]): boolean =>
  NODE_ENV === "production" && !KAFKA_SINGLE_BROKER;

function asCliError(error: unknown): never {
  throw new CliError(error instanceof Error ? error.message : String(error));
}

function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("must be a whole number from 1");
  return value;
}
