import {
  connectKafka,
  createConsumer,
  createOutbox,
  createRelay,
  type KafkaConnection,
  kafkaOptions,
} from "@asset-register/events";
import {
  connectMongo,
  createIdempotencyStore,
  idempotencyMigration,
  type Mongo,
  migrate,
  requireKnownKeys,
} from "@asset-register/mongo";
import {
  createRpcServer,
  createServiceIdentity,
  identityOptions,
  type ServiceIdentity,
} from "@asset-register/rpc";
import {
  type App,
  createHealthServer,
  createKeyring,
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  startTracing,
  stopInOrder,
} from "@asset-register/runtime";
import { indexes } from "../migrations/0001-indexes.ts";
import { connectUsers } from "./clients.ts";
import type { Config } from "./config.ts";
import { subscriptions } from "./events.ts";
import { published } from "./published.ts";
import type { Register } from "./register.ts";
import { assetDirectoryService } from "./rpc/asset-directory.ts";
import { assetService } from "./rpc/assets.ts";
import { custodyService } from "./rpc/custody.ts";
import { organisationService } from "./rpc/organisation.ts";
import { organisationDirectoryService } from "./rpc/organisation-directory.ts";
import { sealed } from "./sealed.ts";
import { createStores } from "./store/stores.ts";

const SERVICE = "register";

export type Overrides = { now?: () => Date };
/** `ports` are known once it has started: a setting of 0 lets the system choose. */
export type RegisterApp = App & { ports: { grpc: number; health: number } };

/** All wiring of the service; nothing runs before `start`. */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<RegisterApp> {
  const logger = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: SERVICE });
  const tracing = startTracing({ service: SERVICE, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const { MONGO_URL: url, MONGO_DATABASE: database } = config;
  const mongo = await connectMongo({ url, database, logger, metrics });
  const kafka = connectKafka({ ...kafkaOptions(config), clientId: SERVICE, logger });
  const outbox = createOutbox(mongo);
  const now = overrides.now ?? (() => new Date());
  const identity = createServiceIdentity(identityOptions(SERVICE, config));
  const users = connectUsers({ address: config.IDENTITY_ADDRESS, identity, logger, metrics });
  const register: Register = { mongo, stores: createStores(mongo), outbox, users, now };
  const parts = { config, register, identity, mongo, kafka, logger, metrics };
  const server = rpcServer(parts);
  const consumer = eventConsumer(parts);
  const relay = createRelay({ mongo, kafka, service: SERVICE, topics: published, logger, metrics });
  const runs = (role: Config["ROLES"][number]): boolean => config.ROLES.includes(role);
  health.check("mongo", () => mongo.ping());
  if (runs("worker")) health.check("projections", () => consumer.caughtUp());
  const ports = { grpc: 0, health: 0 };

  return {
    ports,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    async start() {
      ports.health = (await health.start()).port;
      await migrate(mongo, [indexes, idempotencyMigration, outbox.migration], logger);
      await requireKnownKeys(mongo, createKeyring(config.KEYRING), sealed);
      if (runs("api")) ports.grpc = (await server.start()).port;
      // Last: with Kafka away, or a member that died, joining the group takes long.
      if (runs("relay")) await relay.start();
      if (runs("worker")) await consumer.start();
      health.setReady(true);
      logger.info({ roles: config.ROLES, ...ports }, "ready");
    },
    async stop() {
      health.setReady(false);
      await stopInOrder(
        [
          // Calls under way may take most of the time; the rest is quick.
          { name: "rpc", stop: () => server.stop(config.SHUTDOWN_TIMEOUT_MS * 0.6) },
          { name: "consumer", stop: () => consumer.stop() },
          { name: "upstreams", stop: () => users.close() },
          { name: "relay", stop: () => relay.stop() },
          { name: "mongo", stop: () => mongo.close() },
          { name: "health", stop: () => health.stop() },
          { name: "tracing", stop: () => tracing.stop() },
        ],
        { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, logger },
      );
    },
  };
}

type Parts = {
  config: Config;
  register: Register;
  identity: ServiceIdentity;
  mongo: Mongo;
  kafka: KafkaConnection;
  logger: Logger;
  metrics: Metrics;
};

function rpcServer({ config, register, identity, mongo, logger, metrics }: Parts) {
  const services = [
    assetService,
    assetDirectoryService,
    custodyService,
    organisationService,
    organisationDirectoryService,
  ];
  return createRpcServer({
    name: SERVICE,
    address: config.GRPC_ADDRESS,
    implementations: services.map((service) => service(register)),
    identity,
    idempotency: createIdempotencyStore(mongo, createKeyring(config.KEYRING)),
    logger,
    metrics,
  });
}

function eventConsumer({ register, mongo, kafka, logger, metrics }: Parts) {
  return createConsumer({
    kafka,
    group: SERVICE,
    mongo,
    logger,
    metrics,
    subscriptions: subscriptions(register),
  });
}
