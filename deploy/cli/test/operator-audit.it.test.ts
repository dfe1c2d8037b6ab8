import {
  connectKafka,
  createConsumer,
  createOutbox,
  createProducer,
  decodeIncoming,
  encodeHeaders,
  readTopic,
  subscribe,
} from "@asset-register/events";
import { eventually, freshDatabase, freshPrefix, testServers } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { AuditEventSchema } from "@asset-register/proto/assetregister/events/v1/audit_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { fromBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { cliOf, rows } from "./support.ts";

const workspaceId = newId("wsp");
const topic = topics.workspace;

/** An installation with topics and one consumer group, on a database of its own. */
async function installation() {
  const { mongoUrl, kafkaBrokers } = testServers();
  const prefix = freshPrefix();
  const database = freshDatabase();
  const cli = cliOf(prefix, { MONGO_DATABASE: database });
  await cli("topics", "create", "--partitions", "1");
  const logger = createLogger({ service: "test", level: "silent" });
  const metrics = createMetrics({ service: "test" });
  const kafka = connectKafka({ brokers: kafkaBrokers, clientId: "test", topicPrefix: prefix, logger });
  const mongo = await connectMongo({ url: mongoUrl, database, logger });
  onTestFinished(() => mongo.close());
  const outbox = createOutbox(mongo);
  await outbox.migration.up(mongo);
  const producer = createProducer({ kafka, logger, metrics, topics: [topic], timeoutMs: 30_000 });
  onTestFinished(() => producer.disconnect());
  return {
    ...{ cli, mongo, outbox },
    /** Consumes with the name of a service. */
    async consume(handle: (sequence: number) => void): Promise<void> {
      const consumer = createConsumer({
        ...{ kafka, mongo, logger, metrics, group: "finance" },
        subscriptions: [
          subscribe(topic, {
            async handle(events) {
              for (const { sequence } of events) handle(sequence);
            },
          }),
        ],
      });
      onTestFinished(() => consumer.stop());
      await consumer.start();
    },
    async publish(...sequences: number[]): Promise<void> {
      const records = sequences.map((sequence) => ({
        ...{ topic, key: workspaceId, value: new Uint8Array() },
        headers: encodeHeaders({
          ...{ id: `event-${sequence}`, type: "workspace.updated", source: "/identity", workspaceId },
          ...{ subject: workspaceId, time: new Date(), sequence, epoch: 0, schema: topic.schema.typeName },
        }),
      }));
      await producer.send(records);
    },
    async audited(): Promise<unknown[]> {
      const entries: unknown[] = [];
      await readTopic({
        ...{ kafka, topic: topics.audit, fromBeginning: true, toEnd: true },
        onRecord(record, partition) {
          const { workspaceId, message } = decodeIncoming(topics.audit, partition, record);
          if (message?.change.case !== "recorded") return;
          const { actor, action, changes = [] } = message.change.value.entry ?? {};
          const after = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
          entries.push({ workspaceId, action, actor: actor?.kind, ...after });
        },
      });
      return entries;
    },
    /** The entries that the relay of the service would send. */
    async waiting(): Promise<unknown[]> {
      type Row = { topic: string; workspaceId: string; value: { buffer: Uint8Array } };
      const found = await systemCollection<Row>(mongo, "outbox").find({ topic: topics.audit.name }).toArray();
      return found.map(({ workspaceId, value }) => {
        const { change } = fromBinary(AuditEventSchema, value.buffer);
        return { workspaceId, action: change.case === "recorded" && change.value.entry?.action };
      });
    },
  };
}

test("consumer skip buries the next event of a group, and only that one; it and dlq drop are in the audit log of the event's workspace", async () => {
  const { audited, cli, consume, publish } = await installation();
  const handled: number[] = [];
  await publish(1, 2, 3);
  await consume((sequence) => {
    if (sequence === 2) throw new Error("a bug");
    handled.push(sequence);
  });
  // A batch that failed is repeated.
  await eventually(() => expect([...new Set(handled)]).toEqual([1]));
  const skip = (offset: string) =>
    cli("consumer", "skip", "workspace.v1", "0", offset, "--service", "finance", "--json");
  await eventually(async () => {
    expect((await skip("0")).err).toContain("its next event is 1");
  });
  expect(await skip("2")).toMatchObject({ code: 1, err: expect.stringContaining("does not wait at") });
  expect(rows(await skip("1"))).toEqual([{ id: "workspace.v1/0/1", group: "finance", state: "skipped" }]);
  await eventually(() => expect(handled.slice(-1)).toEqual([3]));
  await eventually(async () => expect((await skip("1")).err).toContain("it has handled all events"));

  const listed = rows(await cli("dlq", "list", "--json"));
  expect(listed).toMatchObject([{ id: "workspace.v1/0/1", event_id: "event-2", error: "skipped" }]);
  // The bug is still there, so a retry blocks the retry topic of the group.
  await cli("dlq", "retry", "workspace.v1/0/1");
  const again = await eventually(async () => {
    const args = ["consumer", "skip", "workspace.v1.finance.retry", "0", "0", "--service", "finance"];
    const outcome = await cli(...args, "--json");
    expect(outcome.code).toBe(0);
    return rows(outcome);
  });
  expect(again).toMatchObject([{ id: "workspace.v1.finance.retry/0/0", state: "skipped" }]);
  await cli("dlq", "drop", "workspace.v1/0/1");
  const common = {
    ...{ workspaceId, actor: ActorKind.OPERATOR, event_id: "event-2", group: "finance" },
    ...{ topic: "workspace.v1", partition: "0", offset: "1" },
  };
  await eventually(async () =>
    expect(await audited()).toEqual([
      { ...common, action: "event.skipped" },
      { ...common, action: "event.skipped", topic: "workspace.v1.finance.retry", offset: "0" },
      { ...common, action: "dead_letter.dropped", error: "skipped" },
    ]),
  );
}, 300_000);

test("outbox drop is in the audit log of the event's workspace", async () => {
  const { cli, mongo, outbox, waiting } = await installation();
  await mongo.transaction({}, (session) =>
    outbox.add(session, {
      ...{ topic, workspaceId, subject: workspaceId, sequence: 1, time: new Date() },
      ...{ type: "workspace.updated", message: {} },
    }),
  );
  const parked = { error: "too large", at: new Date() };
  const stored = systemCollection<{ eventId: string }>(mongo, "outbox");
  const row = await stored.findOneAndUpdate({}, { $set: { parked } });
  const dropped = await cli("outbox", "drop", "--service", "identity", "--json", row?.eventId ?? "");
  expect(rows(dropped)).toEqual([{ dropped: 1 }]);
  expect(await waiting()).toEqual([{ workspaceId, action: "outbox_event.dropped" }]);
}, 120_000);
