import {
  connectKafka,
  createConsumer,
  createProducer,
  inboxMigration,
  subscribe,
} from "@asset-register/events";
import { eventually, freshDatabase, freshPrefix, testServers } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { cliOf, MAIN, rows, run } from "./support.ts";

const value = (name: string) =>
  Buffer.from(toBinary(WorkspaceEventSchema, create(WorkspaceEventSchema, { state: { id: "wsp_1", name } })));

const headers = (sequence: number) => ({
  ...{ ce_id: `event-${sequence}`, ce_type: "com.assetregister.workspace.updated" },
  ...{ ce_workspaceid: "wsp_1", ce_subject: "wsp_1", ce_sequence: String(sequence) },
});

test("topics are created, checked and followed; dead letters are listed, shown, retried and dropped", async () => {
  const prefix = freshPrefix();
  const cli = cliOf(prefix);
  expect((await cli("topics", "check", "--json")).code).toBe(1);
  const created = rows(await cli("topics", "create", "--partitions", "1", "--json"));
  expect(created).toHaveLength(Object.keys(topics).length);
  expect(created).toContainEqual({ topic: `${prefix}workspace.v1`, state: "created" });
  expect((await cli("topics", "check")).out).toContain("match their declaration");
  expect(await cli("topics", "create", "--partitions", "2")).toMatchObject({
    code: 1,
    err: expect.stringContaining("has 1 partitions and 2 are asked for"),
  });

  const { mongoUrl, kafkaBrokers } = testServers();
  const logger = createLogger({ service: "test", level: "silent" });
  const metrics = createMetrics({ service: "test" });
  const kafka = connectKafka({ brokers: kafkaBrokers, clientId: "test", topicPrefix: prefix, logger });
  const mongo = await connectMongo({ url: mongoUrl, database: freshDatabase(), logger });
  onTestFinished(() => mongo.close());
  await inboxMigration.up(mongo);
  const producer = createProducer({ kafka, logger, metrics, topics: [topics.workspace], timeoutMs: 30_000 });
  onTestFinished(() => producer.disconnect());
  const topic = topics.workspace;
  await producer.send([
    { topic, key: "wsp_1", value: value("good"), headers: headers(1) },
    { topic, key: "wsp_1", value: Buffer.from([0xff]), headers: headers(2) },
    { topic, key: "wsp_1", value: Buffer.from([0xff]), headers: headers(3) },
  ]);
  const tail = await cli("topics", "tail", "workspace.v1", "--to-end", "--json");
  expect(tail).toMatchObject({ code: 0 });
  const tailed = rows(tail);
  expect(tailed).toHaveLength(3);
  expect(tailed[0]).toMatchObject({
    ...{ type: "workspace.updated", sequence: 1, message: { state: { name: "good" } } },
    ...{ partition: 0, offset: "0", key: "wsp_1" },
  });
  expect(tailed[1]).toMatchObject({ offset: "1", error: expect.stringContaining("not a") });

  const consumer = createConsumer({
    ...{ kafka, mongo, logger, metrics, group: "group" },
    subscriptions: [subscribe(topic, { handle: async () => {} })],
  });
  onTestFinished(() => consumer.stop());
  await consumer.start();
  const listed = await eventually(async () => {
    const found = rows(await cli("dlq", "list", "--group", "group", "--json"));
    expect(found).toHaveLength(2);
    return found;
  });
  expect(listed.map(({ id }) => id)).toEqual(["workspace.v1/0/1", "workspace.v1/0/2"]);
  const shown: unknown = JSON.parse((await cli("dlq", "show", "workspace.v1/0/1")).out);
  expect(shown).toMatchObject({ event_id: "event-2", attempts: 1, headers: { ce_subject: "wsp_1" } });
  expect((await cli("dlq", "retry", "no/such/one")).err).toContain('no dead letter "no/such/one"');
  await cli("dlq", "retry", "workspace.v1/0/1");
  await eventually(async () =>
    expect(rows(await cli("dlq", "list", "--json"))).toContainEqual(
      expect.objectContaining({ id: "workspace.v1/0/1", attempts: 2 }),
    ),
  );
  expect((await cli("dlq", "drop")).err).toContain("--all");
  expect(rows(await cli("dlq", "drop", "--all", "--json"))).toHaveLength(2);
  await eventually(async () => expect((await cli("dlq", "list")).out).toContain("No dead letters."));
}, 600_000);

test("a command without its settings names the missing ones and prints no stack trace", async () => {
  const env = { PATH: process.env.PATH };
  const failed = run(process.execPath, [MAIN, "outbox", "parked", "--service", "register"], { env });
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("MONGO_URL: is not set"),
  });
});

test("the log goes to standard error, so that programs can parse standard output", async () => {
  const withoutKafka = cliOf(freshPrefix(), { KAFKA_BROKERS: "127.0.0.1:1", LOG_LEVEL: "warn" });
  expect(await withoutKafka("topics", "check", "--json")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining('"service":"cli"'),
  });
});

test("outbox parked and outbox held report an empty outbox; events republish rejects an unknown topic", async () => {
  const cli = cliOf(freshPrefix());
  expect((await cli("outbox", "parked", "--service", "register")).out).toContain("No events are parked.");
  expect((await cli("outbox", "held", "--service", "register")).out).toContain("No events are held.");
  expect((await cli("events", "republish", "unknown.v1")).err).toContain('no topic "unknown.v1"');
});
