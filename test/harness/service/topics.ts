import {
  connectKafka,
  createConsumer,
  createProducer,
  encodeHeaders,
  type Incoming,
  type OutgoingEvent,
  type Subscription,
  subscribe,
  type Topic,
} from "@asset-register/events";
import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { decodeActor } from "@asset-register/rpc";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { connected } from "./connected.ts";
import { projectWorkspace } from "./workspaces.ts";

const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });

/** The events of a topic so far, each once and in order of arrival. */
export type Recorded<S extends DescMessage = DescMessage> = {
  events: Incoming<S>[];
  of(subject: string): Incoming<S>[];
};

/** An event that a test publishes. A test sets `id` to repeat an event and `epoch` to republish it. */
export type TestEvent<S extends DescMessage> = Omit<OutgoingEvent<S>, "time"> & {
  time?: Date;
  id?: string;
  epoch?: number;
};

export type OpenTopics = Awaited<ReturnType<typeof openTopics>>;

/** Publishes the events of other services, and records the events of the service under test. */
export async function openTopics<T extends Record<string, Topic>>({
  prefix,
  recorded,
  kafkaBrokers = testServers().kafkaBrokers,
  published = Object.values(topics),
}: {
  prefix: string;
  recorded: T;
  kafkaBrokers?: string[];
  /** The topics that exist. */
  published?: readonly Topic[];
}) {
  const kafka = connectKafka({ brokers: kafkaBrokers, clientId: "test", topicPrefix: prefix, logger });
  const producer = createProducer({ kafka, logger, metrics, topics: published, timeoutMs: 60_000 });
  await producer.connect();
  const mongo = await connected(() =>
    connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger }),
  );
  const subscriptions: Subscription[] = [];
  function record<S extends DescMessage>(topic: Topic<S>): Recorded<S> {
    const events: Incoming<S>[] = [];
    const seen = new Set<string>();
    // Delivery is at least once. A busy machine causes repeats: after a rebalance, or when a relay loses its lease.
    const handle = async (batch: Incoming<S>[]) => {
      for (const event of batch) {
        if (!seen.has(event.id)) events.push(event);
        seen.add(event.id);
      }
    };
    subscriptions.push(subscribe(topic, { handle }));
    return { events, of: (subject) => events.filter((event) => event.subject === subject) };
  }
  async function publish<S extends DescMessage>(...events: TestEvent<S>[]): Promise<void> {
    await producer.send(events.map(toRecord));
  }
  const records = Object.fromEntries(Object.entries(recorded).map(([name, topic]) => [name, record(topic)]));
  const audit = record(topics.audit);
  const consumer = createConsumer({ kafka, group: "test", mongo, logger, metrics, subscriptions });
  await consumer.start();
  return {
    ...{ kafka, producer },
    // The cast: Object.fromEntries loses the names. There is one entry for each given topic, under its name.
    recorded: records as { [K in keyof T]: T[K] extends Topic<infer S> ? Recorded<S> : never },
    auditEntries: (workspaceId: string) => auditEntries(audit, workspaceId),
    publish,
    /** Publishes a new workspace, and waits until the services with these databases have projected it. */
    projectWorkspace: (
      fields: Parameters<typeof projectWorkspace>[1],
      ...databases: Parameters<typeof projectWorkspace>[2]
    ): Promise<string> => projectWorkspace(publish, fields, databases),
    async close(): Promise<void> {
      await consumer.stop();
      await producer.disconnect();
      await mongo.close();
    },
  };
}

function toRecord<S extends DescMessage>(event: TestEvent<S>) {
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

/**
 * The audit entries of a workspace, oldest first, with their changes as `{ field: [before, after] }`. The topic has no
 * order, since each entry has its own key.
 */
function auditEntries({ events }: Recorded<typeof topics.audit.schema>, workspaceId: string) {
  return events
    .filter((event) => event.workspaceId === workspaceId)
    .sort((a, b) => a.time.getTime() - b.time.getTime())
    .map(({ message }) => {
      const entry = message?.change.case === "recorded" ? message.change.value.entry : undefined;
      if (entry === undefined) throw new Error("an audit event without an entry");
      const { action, subjectId, requestId, clientAddress, clientRequestId, changes } = entry;
      const changed = changes.map(({ field, before, after }) => [field, [before, after]]);
      return {
        ...{ action, subjectId, requestId, clientAddress, clientRequestId },
        actor: decodeActor(entry.actor),
        changes: Object.fromEntries(changed),
      };
    });
}
