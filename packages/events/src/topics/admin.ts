import kafkajs, { type Admin } from "kafkajs";
import { createAll } from "./create-all.ts";
import type { Topic } from "./topic.ts";
import { admit, type TopicProblem, topicConfig } from "./topic-config.ts";

export type TopicSettings = {
  prefix: string;
  /** 12 by default; fixed for a topic's life. */
  partitions?: number;
  /** Of new topics; 3 in production. */
  replication?: number;
  production?: boolean;
};

export type CreatedTopics = { created: string[]; updated: string[]; unchanged: string[] };

/**
 * Creates what is missing and brings the settings of the others up to date,
 * for the replication that they have: a minimum in sync beyond the replicas
 * would refuse every write, too low a one could lose what was acknowledged.
 * Throws, before it changes anything, when a topic has another number of
 * partitions: its keys would move.
 */
export async function createTopics(
  admin: Admin,
  topics: readonly Topic[],
  settings: TopicSettings,
): Promise<CreatedTopics> {
  const { prefix, partitions = 12, replication = 1, production = false } = settings;
  admit(replication, production);
  const existing = await describe(admin, topics, prefix);
  for (const [name, found] of existing)
    if (settings.partitions !== undefined && found.partitions !== partitions)
      throw otherCount(name, found.partitions, partitions);
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
    // The request replaces all of a topic's own settings: an operator's others go along.
    if (!same) await alter(admin, name, { ...found.own, ...config });
  }
  return result;
}

/** Says what is missing or other than declared; in production also what is too weak to keep an acknowledged event. */
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

/** What could lose an event that was acknowledged. */
function weaknesses({ replication, config }: Found): string[] {
  return [
    ...(replication < 3 ? [`has ${replication} replicas; production needs 3`] : []),
    ...(Number(config["min.insync.replicas"]) < 2 ? ["has min.insync.replicas below 2"] : []),
    ...(config["unclean.leader.election.enable"] === "true" ? ["allows an unclean election"] : []),
  ];
}

type Found = {
  partitions: number;
  replication: number;
  config: Record<string, string>;
  /** What is set on the topic itself. */
  own: Record<string, string>;
};

async function describe(admin: Admin, topics: readonly Topic[], prefix: string): Promise<Map<string, Found>> {
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

function otherCount(name: string, has: number, wanted: number): Error {
  return new Error(
    `${name} has ${has} partitions and ${wanted} are asked for. A topic's count is fixed for its life: keys would move. ` +
      "Growth is a new version of the topic beside it.",
  );
}
