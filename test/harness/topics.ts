import { Kafka, logLevel } from "kafkajs";
import { testServers } from "./servers.ts";

/** Makes `prefix + name` for each topic, as the topics command would. */
export async function createTestTopics(
  prefix: string,
  topics: readonly { name: string }[],
  { partitions = 3 }: { partitions?: number } = {},
): Promise<void> {
  const admin = new Kafka({ brokers: testServers().kafkaBrokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    await admin.createTopics({
      waitForLeaders: true,
      topics: topics.map(({ name }) => ({
        topic: `${prefix}${name}`,
        numPartitions: partitions,
        replicationFactor: 1,
      })),
    });
  } finally {
    await admin.disconnect();
  }
}
