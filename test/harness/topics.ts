import { type Admin, Kafka, logLevel } from "kafkajs";
import { eventually } from "./eventually.ts";
import { testServers } from "./servers.ts";

/** For a busy broker. The defaults are 1 s and 30 s. */
const PATIENT = { connectionTimeout: 10_000, requestTimeout: 90_000 };

/** `node`: the broker of all partitions. By default the cluster chooses. */
type Placement = { partitions?: number; brokers?: string[]; node?: number };

/** Creates the topic `prefix + name` for each topic. Returns when every partition has a leader. */
export async function createTestTopics(
  prefix: string,
  topics: readonly { name: string }[],
  { partitions = 3, brokers = testServers().kafkaBrokers, node }: Placement = {},
): Promise<void> {
  const names = topics.map(({ name }) => `${prefix}${name}`);
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, ...PATIENT }).admin();
  await eventually(() => admin.connect());
  try {
    await eventually(() =>
      admin.createTopics({
        // kafkajs fails at the first metadata response that lacks a topic. A busy broker sends such responses.
        waitForLeaders: false,
        timeout: 60_000,
        topics: names.map((topic) =>
          node === undefined
            ? { topic, numPartitions: partitions, replicationFactor: 1 }
            : { topic, replicaAssignment: placedOn(node, partitions) },
        ),
      }),
    );
    await eventually(() => requireLeaders(admin, names));
  } finally {
    await admin.disconnect();
  }
}

const placedOn = (node: number, partitions: number) =>
  Array.from({ length: partitions }, (_, partition) => ({ partition, replicas: [node] }));

async function requireLeaders(admin: Admin, names: string[]): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const leaderless = topics.filter(({ partitions }) => partitions.some(({ leader }) => leader < 0));
  if (leaderless.length > 0) throw new Error(`no leader yet for ${leaderless.map(({ name }) => name)}`);
}
