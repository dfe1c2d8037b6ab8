import { eventually, freshPrefix, testServers } from "@asset-register/harness";
import { Kafka, logLevel, Partitioners } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { checkInternalTopics, checkTopics, createTopics } from "../src/index.ts";
import { log, state } from "./support-topics.ts";

async function admin() {
  const kafka = new Kafka({ brokers: testServers().kafkaBrokers, logLevel: logLevel.NOTHING });
  const connected = kafka.admin();
  await connected.connect();
  onTestFinished(() => connected.disconnect());
  return connected;
}

const topics = [log, state];

test("createTopics creates topics as declared, and a second call changes nothing", async () => {
  const broker = await admin();
  const settings = { prefix: freshPrefix(), partitions: 2 };
  expect(await checkTopics(broker, topics, settings)).toEqual(
    topics.map(({ name }) => ({
      topic: `${settings.prefix}${name}`,
      kind: "missing",
      problem: "does not exist",
    })),
  );
  expect((await createTopics(broker, topics, settings)).created).toHaveLength(2);
  expect(await checkTopics(broker, topics, settings)).toEqual([]);
  const again = await createTopics(broker, topics, settings);
  expect(again).toEqual({
    created: [],
    updated: [],
    unchanged: topics.map(({ name }) => `${settings.prefix}${name}`),
  });
});

test("createTopics refuses to change the number of partitions of a topic, and changes nothing", async () => {
  const broker = await admin();
  const prefix = freshPrefix();
  await createTopics(broker, [log], { prefix, partitions: 2 });
  const changed = createTopics(broker, topics, { prefix, partitions: 3 });
  await expect(changed).rejects.toThrow("has 2 partitions and 3 are asked for");
  expect((await broker.listTopics()).filter((name) => name.startsWith(prefix))).toEqual([
    `${prefix}${log.name}`,
  ]);
});

test("a changed setting is reported and restored, and an additional setting of an operator is kept", async () => {
  const broker = await admin();
  const prefix = freshPrefix();
  const name = `${prefix}${log.name}`;
  await createTopics(broker, [log], { prefix, partitions: 1 });
  const configEntries = [
    { name: "retention.ms", value: "1000" },
    { name: "segment.ms", value: "60000" },
    { name: "min.insync.replicas", value: "1" },
    { name: "unclean.leader.election.enable", value: "false" },
  ];
  await broker.alterConfigs({ validateOnly: false, resources: [{ type: 2, name, configEntries }] });
  // A changed setting becomes effective shortly after the answer.
  const problems = async () => (await checkTopics(broker, [log], { prefix })).map(({ problem }) => problem);
  await eventually(async () =>
    expect(await problems()).toEqual(["has retention.ms=1000 instead of 86400000"]),
  );
  expect((await createTopics(broker, [log], { prefix })).updated).toEqual([name]);
  await eventually(async () => expect(await problems()).toEqual([]));
  const { resources } = await broker.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: 2, name }],
  });
  const segment = resources[0]?.configEntries.find((entry) => entry.configName === "segment.ms");
  expect(segment?.configValue).toBe("60000");
});

test("createTopics with more replicas than a topic has keeps the settings for the existing number of replicas", async () => {
  const broker = await admin();
  const prefix = freshPrefix();
  const names = topics.map(({ name }) => `${prefix}${name}`);
  await createTopics(broker, topics, { prefix, partitions: 1, replication: 1 });
  const again = await createTopics(broker, topics, { prefix, replication: 3 });
  expect(again).toEqual({ created: [], updated: [], unchanged: names });
  const { resources } = await broker.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: 2, name, configNames: ["min.insync.replicas"] })),
  });
  expect(resources.flatMap((found) => found.configEntries.map((entry) => entry.configValue))).toEqual([
    "1",
    "1",
  ]);
});

test("in production, createTopics refuses a replication of 1 and checkTopics reports it", async () => {
  const broker = await admin();
  const prefix = freshPrefix();
  const weak = createTopics(broker, [log], { prefix, replication: 1, production: true });
  await expect(weak).rejects.toThrow("Production needs a replication of 3");
  await createTopics(broker, [log], { prefix, partitions: 1 });
  const problems = await checkTopics(broker, [log], { prefix, production: true });
  expect(problems.map(({ problem }) => problem)).toEqual([
    expect.stringContaining("1 replicas"),
    expect.stringContaining("min.insync.replicas"),
  ]);
});

test.each([1, 12])(
  "with %i partitions, partitionFor selects the same partition as the default partitioner of other producers",
  async (partitions) => {
    const { createPartitionLookup } = await import("../src/kafka/partitions.ts");
    const { connectKafka } = await import("../src/index.ts");
    const { createLogger } = await import("@asset-register/runtime");
    const broker = await admin();
    const prefix = freshPrefix();
    await createTopics(broker, [log], { prefix, partitions });
    const logger = createLogger({ service: "test", level: "silent" });
    const kafka = connectKafka({
      brokers: testServers().kafkaBrokers,
      clientId: "test",
      topicPrefix: prefix,
      logger,
    });
    const lookup = createPartitionLookup(kafka);
    expect(() => lookup.partitionFor(log, "k")).toThrow("not known yet");
    await lookup.load([log]);
    const producer = kafka.kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    onTestFinished(() => producer.disconnect());
    for (const key of ["wsp_1:303435FC8803D056D15B963F", "k", "", "ä"]) {
      const [sent] = await producer.send({ topic: kafka.topicName(log), messages: [{ key, value: "v" }] });
      expect(lookup.partitionFor(log, key)).toBe(sent?.partition);
    }
  },
);

test("the broker's own topics are reported when the loss of a broker can lose them", async () => {
  const broker = await admin();
  // The first question about a group creates the topic.
  await broker.fetchOffsets({ groupId: freshPrefix(), topics: [] }).catch(() => undefined);
  await eventually(async () =>
    expect(await checkInternalTopics(broker)).toContainEqual({
      topic: "__consumer_offsets",
      kind: "weak",
      problem: "has 1 replicas; production needs 3",
    }),
  );
});
