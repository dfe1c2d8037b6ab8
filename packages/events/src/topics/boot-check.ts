import type { Logger } from "@asset-register/runtime";
import type { Admin } from "kafkajs";
import { deadLetterTopic, retryTopic } from "../consumer/dead-letter.ts";
import type { KafkaConnection } from "../kafka/connect.ts";
import { checkTopics } from "./admin.ts";
import { createAll } from "./create-all.ts";
import type { Topic } from "./topic.ts";
import { deadLetterConfig, retryConfig, type TopicProblem } from "./topic-config.ts";

/** Topics that are not there, or in production too weak: the program can't go on, and waiting does not help. */
export class UnfitTopicError extends Error {
  override readonly name = "UnfitTopicError";
}

/**
 * Looks at topics before a program uses them. Throws UnfitTopicError for those
 * that are missing, and in production for those that could lose what they
 * acknowledged; says what else is not as declared.
 */
export async function requireTopics(
  admin: Admin,
  topics: readonly Topic[],
  { prefix, production, logger }: { prefix: string; production: boolean; logger: Logger },
): Promise<void> {
  const problems = await checkTopics(admin, topics, { prefix, production: true });
  const of = (kind: TopicProblem["kind"]) => problems.filter((problem) => problem.kind === kind);
  const fatal = [...of("missing"), ...(production ? of("weak") : [])];
  if (fatal.length > 0) {
    const all = fatal.map(({ topic, problem }) => `${topic} ${problem}`).join("; ");
    throw new UnfitTopicError(`${all}. See \`topics create\` and \`topics check\`.`);
  }
  if (of("weak").length > 0)
    logger.info("an acknowledged event does not survive the loss of a broker: good for development only");
  if (of("different").length > 0)
    logger[production ? "warn" : "debug"]({ problems: of("different") }, "topics are not as declared");
}

/** Makes sure that a group's dead letter and retry topics exist, replicated like the topic they belong to. */
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
