import {
  connectKafka,
  createConsumer,
  createEventTracer,
  createOutbox,
  createRelay,
  type OutgoingEvent,
  PoisonError,
  subscribe,
} from "@asset-register/events";
import { freshDatabase, freshPrefix, testServers } from "@asset-register/harness";
import { connectMongo, type Mongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics } from "@asset-register/runtime";
import type { DescMessage } from "@bufbuild/protobuf";
import type { Context } from "../../../services/notification/src/context.ts";
import { decodeMovement } from "../../../services/notification/src/decode/message.ts";
import { enqueueMessages } from "../../../services/notification/src/operations/webhooks/enqueue-messages.ts";
import { createWorkspaceStore } from "../../../services/notification/src/store/projections/workspaces.ts";
import { createDeliveryStore } from "../../../services/notification/src/store/webhooks/deliveries.ts";
import { createEndpointStore } from "../../../services/notification/src/store/webhooks/endpoints.ts";
import type { Tools } from "../src/why/tools.ts";
import { cliOf } from "./support.ts";

/** Its events cannot be handled. */
export const POISON = "ast_poison";

/**
 * The databases and the topics of an installation, without the services. `relays` and `consumer` start what brings events
 * from the outboxes to the group of notification.
 */
export async function openInstallation() {
  const { mongoUrl, kafkaBrokers } = testServers();
  const [prefix, databasePrefix] = [freshPrefix(), `${freshDatabase()}_`];
  const cli = cliOf(prefix);
  const logger = createLogger({ service: "test", level: "silent" });
  const metrics = createMetrics({ service: "test" });
  const kafka = connectKafka({ brokers: kafkaBrokers, clientId: "test", topicPrefix: prefix, logger });
  const open = (name: string) =>
    connectMongo({ url: mongoUrl, database: `${databasePrefix}${name}`, logger });
  const [register, taggingIngest, notification] = await Promise.all(
    ["register", "tagging_ingest", "notification"].map(open),
  );
  if (!register || !taggingIngest || !notification) throw new Error("not connected");
  const outboxes = new Map([register, taggingIngest].map((mongo) => [mongo, createOutbox(mongo)]));
  for (const [mongo, outbox] of outboxes) await outbox.migration.up(mongo);
  await cli("topics", "create", "--partitions", "1");
  const parts: { stop(): Promise<void> }[] = [];

  const databases = { register, "tagging-ingest": taggingIngest, notification };
  const tools: Tools = {
    ...{ kafka, tracer: createEventTracer(kafka) },
    database: async (service) => databases[service],
  };

  return {
    ...{ register, taggingIngest, notification, tools },

    /** Runs `cli why`. */
    why: (...args: string[]) => cli("why", ...args, "--database-prefix", databasePrefix),

    /** Adds an event to the outbox of a service. */
    add: <S extends DescMessage>(mongo: Mongo, event: OutgoingEvent<S>): Promise<void> =>
      mongo.transaction({}, async (session) => outboxes.get(mongo)?.add(session, event)),

    async relays(): Promise<void> {
      for (const [mongo, service, topic] of [
        [register, "register", topics.movement],
        [taggingIngest, "tagging-ingest", topics.sighting],
      ] as const) {
        const relay = createRelay({ mongo, kafka, service, logger, metrics, topics: [topic] });
        await relay.start();
        parts.push(relay);
      }
    },

    /** The group notification, which makes deliveries of movements as the service does, and ignores sightings. */
    async consumer(): Promise<void> {
      const stores = {
        endpoints: createEndpointStore(notification),
        deliveries: createDeliveryStore(notification),
      };
      const context = { stores } as Context;
      const workspaces = createWorkspaceStore(notification);
      const consumer = createConsumer({
        ...{ kafka, mongo: notification, logger, metrics, group: "notification" },
        subscriptions: [
          subscribe(topics.movement, {
            async handle(events) {
              if (events.some(({ subject }) => subject === POISON)) throw new PoisonError("no such colour");
              for (const message of events.flatMap(decodeMovement)) {
                if (await workspaces.isDisabled(message.workspaceId)) continue;
                await enqueueMessages(context, message.workspaceId, [message]);
              }
            },
          }),
          subscribe(topics.sighting, { handle: async () => {} }),
        ],
      });
      await consumer.start();
      parts.push(consumer);
    },

    async close(): Promise<void> {
      await Promise.all(parts.map((part) => part.stop()));
      await Promise.all([register, taggingIngest, notification].map((mongo) => mongo.close()));
    },
  };
}
