import kafkajs, { type Admin } from "kafkajs";
import { createAll } from "./create-all.ts";
import type { Topic } from "./topic.ts";
import { requireReplication, type TopicProblem, topicConfig } from "./topic-config.ts";

export type TopicSettings = {
  prefix: string;
  /** Default: 12. It can never be changed for an existing topic. */
  partitions?: number;
  /** Replicas of new topics. Default: 1; production needs 3. */
  replication?: number;
  production?: boolean;
};

export type CreatedTopics = { created: string[]; updated: string[]; unchanged: string[] };

/**
 * Creates missing topics and updates the settings of existing ones. The
 * settings depend on the replication that a topic has: with more
 * `min.insync.replicas` than replicas every write would fail, with too few an
 * acknowledged event could be lost.
 *
 * @throws Error, before any change, if a topic has another number of partitions: its keys would move
 */
export async function createTopics(
  admin: Admin,
  topics: readonly Topic[],
  settings: TopicSettings,
): Promise<CreatedTopics> {
  const { prefix, partitions = 12, replication = 1, production = false } = settings;
  requireReplication(replication, production);
  const existing = await describe(admin, topics, prefix);
  for (const [name, found] of existing)
    if (settings.partitions !== undefined && found.partitions !== partitions)
      throw partitionCountError(name, found.partitions, partitions);
  const wanted = topics.map((topic) => {
    const name = `${prefix}${topic.name}`;
    return { name, config: topicConfig(topic, existing.get(name)?.replication ?? replication) };
  });
  const missing = wanted.filter(({ name }) => !existing.has(name));
  await createAll(
    admin,
    missing.map(({ name, config }) => ({
      topic: name,
      numPartitions: partitions,
      replicationFactor: replication,
      configEntries: entries(config),
    })),
  );
  const result: CreatedTopics = { created: missing.map(({ name }) => name), updated: [], unchanged: [] };
  for (const { name, config } of wanted) {
    const found = existing.get(name);
    if (found === undefined) continue;
    const same = Object.entries(config).every(([key, value]) => found.config[key] === value);
    (same ? result.unchanged : result.updated).push(name);
    // The request replaces all settings of the topic, so it includes the other settings of an operator.
    if (!same) await alter(admin, name, { ...found.own, ...config });
  }
  return result;
}

/**
 * Returns the topics that are missing or differ from their declaration. In
 * production also topics that could lose an acknowledged event.
 */
export async function checkTopics(
  admin: Admin,
  topics: readonly Topic[],
  settings: Omit<TopicSettings, "replication">,
): Promise<TopicProblem[]> {
  const { prefix, partitions, production = false } = settings;
  const existing = await describe(admin, topics, prefix);
  return topics.flatMap((topic) => {
    const name = `${prefix}${topic.name}`;
    const found = existing.get(name);
    if (found === undefined) return [{ topic: name, kind: "missing", problem: "does not exist" }];
    const problems: Omit<TopicProblem, "topic">[] = [];
    if (partitions !== undefined && found.partitions !== partitions)
      problems.push({
        kind: "different",
        problem: `has ${found.partitions} partitions instead of ${partitions}`,
      });
    const declared = Object.entries(topicConfig(topic, found.replication));
    for (const [key, value] of declared)
      if (found.config[key] !== value)
        problems.push({ kind: "different", problem: `has ${key}=${found.config[key]} instead of ${value}` });
    if (production)
      problems.push(...weaknesses(found).map((problem) => ({ kind: "weak", problem }) as const));
    return problems.map((problem) => ({ topic: name, ...problem }));
  });
}

/** The broker's own topics: committed offsets, and the transactions of the relays. */
const INTERNAL = ["__consumer_offsets", "__transaction_state"];

/**
 * Returns the broker's own topics that the loss of a broker can lose or stop. Without offsets, consumers begin again;
 * without the state of transactions, no outbox is sent. The broker creates them at their first use, so a missing one
 * is no problem yet.
 */
export async function checkInternalTopics(admin: Admin): Promise<TopicProblem[]> {
  const topics = INTERNAL.map((name) => ({ name }));
  const existing = await describe(admin, topics, "");
  return [...existing].flatMap(([topic, found]) =>
    weaknesses(found).map((problem) => ({ topic, kind: "weak", problem }) as const),
  );
}

/** Settings that could lose an acknowledged event. */
function weaknesses({ replication, config }: Found): string[] {
  return [
    ...(replication < 3 ? [`has ${replication} replicas; production needs 3`] : []),
    ...(Number(config["min.insync.replicas"]) < 2 ? ["has min.insync.replicas below 2"] : []),
    ...(config["unclean.leader.election.enable"] === "true" ? ["allows an unclean leader election"] : []),
  ];
}

type Found = {
  partitions: number;
  replication: number;
  config: Record<string, string>;
  /** Settings of the topic itself, without defaults of the broker. */
  own: Record<string, string>;
};

async function describe(
  admin: Admin,
  topics: readonly { name: string }[],
  prefix: string,
): Promise<Map<string, Found>> {
  const present = new Set(await admin.listTopics());
  const names = topics.map((topic) => `${prefix}${topic.name}`).filter((name) => present.has(name));
  if (names.length === 0) return new Map();
  const { topics: metadata } = await admin.fetchTopicMetadata({ topics: names });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  return new Map(
    metadata.map(({ name, partitions }) => {
      const held = resources.find((resource) => resource.resourceName === name)?.configEntries ?? [];
      return [
        name,
        {
          partitions: partitions.length,
          replication: Math.min(...partitions.map((partition) => partition.replicas.length)),
          config: Object.fromEntries(held.map((entry) => [entry.configName, entry.configValue])),
          own: Object.fromEntries(
            held
              .filter((entry) => entry.configSource === kafkajs.ConfigSource.TOPIC_CONFIG)
              .map((entry) => [entry.configName, entry.configValue]),
          ),
        },
      ];
    }),
  );
}

async function alter(admin: Admin, name: string, config: Record<string, string>): Promise<void> {
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries: entries(config) }],
  });
}

function entries(config: Record<string, string>) {
  return Object.entries(config).map(([name, value]) => ({ name, value }));
}

function partitionCountError(name: string, has: number, wanted: number): Error {
  return new Error(
    `${name} has ${has} partitions and ${wanted} are asked for. The number of partitions of a topic cannot change, ` +
      "because its keys would move to other partitions. Create a new version of the topic instead.",
  );
}
