import type { Logger } from "@asset-register/runtime";
import type { Admin } from "kafkajs";
import { deadLetterTopic, retryTopic } from "../consumer/dead-letter.ts";
import type { KafkaConnection } from "../kafka/connect.ts";
import { checkTopics } from "./admin.ts";
import { createAll } from "./create-all.ts";
import type { Topic } from "./topic.ts";
import { deadLetterConfig, retryConfig, type TopicProblem } from "./topic-config.ts";

/** Topics are missing, or in production too weak. The program cannot continue, and waiting does not help. */
export class UnfitTopicError extends Error {
  override readonly name = "UnfitTopicError";
}

export type TopicRequirements = {
  prefix: string;
  /** Refuses topics that could lose acknowledged events. */
  production: boolean;
  logger: Logger;
  /** Logs missing topics instead of refusing them. */
  mayBeMissing?: boolean;
};

/**
 * Checks topics before a program uses them. Logs other differences from the
 * declaration.
 *
 * @throws UnfitTopicError for missing topics, and in production for topics that could lose acknowledged events
 */
export async function requireTopics(
  admin: Admin,
  topics: readonly Topic[],
  { prefix, production, logger, mayBeMissing = false }: TopicRequirements,
): Promise<void> {
  const problems = await checkTopics(admin, topics, { prefix, production: true });
  const of = (kind: TopicProblem["kind"]) => problems.filter((problem) => problem.kind === kind);
  const missing = of("missing");
  if (mayBeMissing && missing.length > 0)
    logger.error({ topics: missing.map(({ topic }) => topic) }, "topics are missing, their events wait");
  const fatal = [...(mayBeMissing ? [] : missing), ...(production ? of("weak") : [])];
  if (fatal.length > 0) {
    const all = fatal.map(({ topic, problem }) => `${topic} ${problem}`).join("; ");
    throw new UnfitTopicError(`${all}. Run \`topics create\` or \`topics check\` of the command line.`);
  }
  if (of("weak").length > 0)
    logger.info("the loss of a broker can lose acknowledged events; use this setup for development only");
  if (of("different").length > 0)
    logger[production ? "warn" : "debug"](
      { problems: of("different") },
      "topics differ from their declaration",
    );
}

/** Creates the dead letter and retry topics of a group if missing, with the replication of the topic they belong to. */
export async function prepareOwnTopics(
  admin: Admin,
  kafka: KafkaConnection,
  group: string,
  topics: readonly { name: string }[],
): Promise<void> {
  const present = new Set(await admin.listTopics());
  const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map(kafka.topicName) });
  for (const topic of topics) {
    const source = found.find(({ name }) => name === kafka.topicName(topic));
    const replicationFactor = source?.partitions[0]?.replicas.length ?? 1;
    const own = [
      { topic: kafka.topicName(deadLetterTopic(topic, group)), config: deadLetterConfig(replicationFactor) },
      { topic: kafka.topicName(retryTopic(topic, group)), config: retryConfig(replicationFactor) },
    ].filter((wanted) => !present.has(wanted.topic));
    await createAll(
      admin,
      own.map(({ topic: name, config }) => ({
        topic: name,
        numPartitions: 1,
        replicationFactor,
        configEntries: Object.entries(config).map(([key, value]) => ({ name: key, value })),
      })),
    );
  }
}
