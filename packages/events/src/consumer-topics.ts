import type { Admin } from "kafkajs";
import { deadLetterTopic, retryTopic } from "./dead-letter.ts";
import type { KafkaConnection } from "./kafka.ts";
import { deadLetterConfig, retryConfig } from "./topic-config.ts";
import { create } from "./topics-admin.ts";

/** A topic that is not there: the program can't go on, and waiting does not help. */
export class MissingTopicError extends Error {
  override readonly name = "MissingTopicError";
}

/**
 * Makes sure that a group's dead letter and retry topics exist, replicated like
 * the topic they belong to. Throws MissingTopicError when that one is not there.
 */
export async function prepareTopics(
  admin: Admin,
  kafka: KafkaConnection,
  group: string,
  topics: readonly { name: string }[],
): Promise<void> {
  const present = new Set(await admin.listTopics());
  const missing = topics.map(kafka.topicName).filter((name) => !present.has(name));
  if (missing.length > 0)
    throw new MissingTopicError(`Not on the broker: ${missing.join(", ")}. Run \`topics create\` first.`);
  const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map(kafka.topicName) });
  for (const topic of topics) {
    const source = found.find(({ name }) => name === kafka.topicName(topic));
    const replicationFactor = source?.partitions[0]?.replicas.length ?? 1;
    const own = [
      { topic: kafka.topicName(deadLetterTopic(topic, group)), config: deadLetterConfig(replicationFactor) },
      { topic: kafka.topicName(retryTopic(topic, group)), config: retryConfig(replicationFactor) },
    ].filter((wanted) => !present.has(wanted.topic));
    await create(
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
