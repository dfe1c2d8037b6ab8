import {
  connectKafka,
  createConsumer,
  createOutbox,
  createRelay,
  type Incoming,
  type OutgoingEvent,
  type Subscription,
  subscribe,
  type Topic,
} from "@asset-register/events";
import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo, migrate } from "@asset-register/mongo";
import { createLogger, createMetrics } from "@asset-register/runtime";
import type { DescMessage } from "@bufbuild/protobuf";

const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });

/** What a topic has told so far, in order of arrival. */
export function record<S extends DescMessage>(topic: Topic<S>) {
  const events: Incoming<S>[] = [];
  const subscription = subscribe(topic, {
    handle: async (batch) => {
      events.push(...batch);
    },
  });
  return { events, subscription, of: (subject: string) => events.filter((each) => each.subject === subject) };
}

type Around = { prefix: string; kafkaBrokers?: string[]; subscriptions: Subscription[] };

/** Publishes what other services would, and hears what the service under test publishes. */
export async function startNeighbours({ prefix, kafkaBrokers, subscriptions }: Around) {
  const { mongoUrl, kafkaBrokers: shared } = testServers();
  const brokers = kafkaBrokers ?? shared;
  const mongo = await connectMongo({ url: mongoUrl, database: freshDatabase(), logger });
  const outbox = createOutbox(mongo);
  await migrate(mongo, [outbox.migration], logger);
  const kafka = connectKafka({ brokers, clientId: "test", topicPrefix: prefix, logger });
  const relay = createRelay({ mongo, kafka, service: "neighbours", topics: [], logger, metrics });
  await relay.start();
  const consumer = createConsumer({ kafka, group: "test", mongo, logger, metrics, subscriptions });
  await consumer.start();
  return {
    kafka,
    async publish<S extends DescMessage>(...events: OutgoingEvent<S>[]): Promise<void> {
      await mongo.transaction({}, (session) => outbox.add(session, ...events));
    },
    async close(): Promise<void> {
      await consumer.stop();
      await relay.stop();
      await mongo.close();
    },
  };
}
