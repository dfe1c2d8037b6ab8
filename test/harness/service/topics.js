import {
  connectKafka,
  createConsumer,
  createProducer,
  encodeHeaders,
  subscribe,
} from "@asset-register/events";
import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { decodeActor } from "@asset-register/rpc";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { create, toBinary } from "@bufbuild/protobuf";

const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });
/** Publishes what other services would, and records what the service under test publishes. */
export async function openTopics({
  prefix,
  recorded,
  kafkaBrokers = testServers().kafkaBrokers,
  published = Object.values(topics),
}) {
  const kafka = connectKafka({ brokers: kafkaBrokers, clientId: "test", topicPrefix: prefix, logger });
  const producer = createProducer({ kafka, logger, metrics, topics: published, timeoutMs: 30000 });
  await producer.connect();
  const mongo = await connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger });
  const subscriptions = [];
  function record(topic) {
    const events = [];
    const handle = async (batch) => void events.push(...batch);
    subscriptions.push(subscribe(topic, { handle }));
    return { events, of: (subject) => events.filter((event) => event.subject === subject) };
  }
  const records = Object.fromEntries(Object.entries(recorded).map(([name, topic]) => [name, record(topic)]));
  const audit = record(topics.audit);
  const consumer = createConsumer({ kafka, group: "test", mongo, logger, metrics, subscriptions });
  await consumer.start();
  return {
    kafka,
    // One record for each topic that was given, under its name.
    recorded: records,
    auditEntries: (workspaceId) => auditEntries(audit, workspaceId),
    async publish(...events) {
      await producer.send(events.map(toRecord));
    },
    async close() {
      await consumer.stop();
      await producer.disconnect();
      await mongo.close();
    },
  };
}
function toRecord(event) {
  const { topic, workspaceId, subject, sequence, type, message } = event;
  const { id = newId("msg"), epoch = 0, time = new Date() } = event;
  return {
    topic,
    key: event.key ?? `${workspaceId}:${subject}`,
    value: message === undefined ? null : toBinary(topic.schema, create(topic.schema, message)),
    headers: encodeHeaders({
      ...{ id, type, source: "/test", workspaceId, subject, time, sequence, epoch },
      schema: topic.schema.typeName,
    }),
  };
}
/** The audit entries of a workspace, with their changes as `{ field: [before, after] }`. */
function auditEntries({ events }, workspaceId) {
  return events
    .filter((event) => event.workspaceId === workspaceId)
    .map(({ message }) => {
      const entry = message?.change.case === "recorded" ? message.change.value.entry : undefined;
      if (entry === undefined) throw new Error("an audit event without an entry");
      const { action, subjectId, requestId, changes } = entry;
      const changed = changes.map(({ field, before, after }) => [field, [before, after]]);
      return {
        ...{ action, subjectId, requestId },
        actor: decodeActor(entry.actor),
        changes: Object.fromEntries(changed),
      };
    });
}
