import {
  type Consumer,
  connectKafka,
  createConsumer,
  createOutbox,
  createRelay,
  type KafkaConnection,
  kafkaOptions,
  type Outbox,
  type Subscription,
  type Topic,
} from "@asset-register/events";
import {
  connectMongo,
  createIdempotencyStore,
  idempotencyMigration,
  type Migration,
  type Mongo,
  migrate,
  requireKnownKeys,
  type SealedField,
} from "@asset-register/mongo";
import {
  createRpcServer,
  createServiceIdentity,
  type Implementation,
  identityOptions,
  type ServiceIdentity,
} from "@asset-register/rpc";
import {
  type App,
  createHealthServer,
  createKeyring,
  createLogger,
  createMetrics,
  type Keyring,
  type Logger,
  type Metrics,
  startTracing,
  stopInOrder,
} from "@asset-register/runtime";
import type { Role, ServiceConfig } from "./settings.ts";

/** What the operations of every service get. A service's own context adds its stores and clients. */
export type ServiceContext = {
  mongo: Mongo;
  outbox: Outbox;
  keyring: Keyring;
  logger: Logger;
  /** The time, so that a test can set it. */
  now(): Date;
};

/** What the parts of a service are made of. */
export type ServiceBase = ServiceContext & {
  identity: ServiceIdentity;
  kafka: KafkaConnection;
  metrics: Metrics;
};

/** Something that runs beside the RPC server and the consumers, or has to be closed. */
export type Part = {
  name: string;
  /** Started in processes of this role; without one, in every process. */
  role?: Role;
  start?(): unknown;
  stop(): unknown;
};

export type ConsumerGroup = {
  /** The service's name by default. */
  group?: string;
  subscriptions: Subscription[];
  /** Readiness waits until it has caught up for the first time, unless its effects are no projection. */
  projects?: boolean;
};

/** What is a service's own. */
export type ServiceParts = {
  rpc: Implementation[];
  consumers?: ConsumerGroup[];
  /** Started in this order before calls are answered, stopped in the reverse order after them. */
  parts?: Part[];
  /** How much of the time for a shutdown calls may take: 0.6 by default. */
  drainShare?: number;
};

export type ServiceDefinition = {
  name: string;
  config: ServiceConfig;
  now?: (() => Date) | undefined;
  migrations: readonly Migration[];
  /** Where the service keeps sealed secrets. */
  sealed: readonly SealedField[];
  /** Topics of the outbox. */
  published: readonly Topic[];
  /** Makes the service's own parts. Nothing of them may run before it is started. */
  build(base: ServiceBase): ServiceParts | Promise<ServiceParts>;
};

/** `ports` are known once it has started: a setting of 0 lets the system choose. */
export type Service = App & { ports: { grpc: number; health: number } };

/**
 * A service: logs, metrics, traces and health, its database with migrations, outbox and relay, consumers and the
 * RPC server, in the roles of its settings. Nothing is served before `start`.
 * @throws Error when the database is unavailable, or a setting is not usable
 */
export async function createService(definition: ServiceDefinition): Promise<Service> {
  const { name, config, sealed, published } = definition;
  const logger = createLogger({ service: name, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: name });
  const tracing = startTracing({ service: name, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const identity = createServiceIdentity(identityOptions(name, config));
  const keyring = createKeyring(config.KEYRING);
  const kafka = connectKafka({ ...kafkaOptions(config), clientId: name, logger });
  const mongo = await connectMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    production: config.NODE_ENV === "production",
    logger,
    metrics,
  });
  const outbox = createOutbox(mongo);
  const now = definition.now ?? (() => new Date());
  const base = { mongo, outbox, keyring, logger, now, identity, kafka, metrics };
  const { rpc, consumers = [], parts = [], drainShare = 0.6 } = await build(definition, base);

  const shared = { kafka, mongo, logger, metrics };
  const server = createRpcServer({
    name,
    address: config.GRPC_ADDRESS,
    implementations: rpc,
    identity,
    idempotency: createIdempotencyStore(mongo, keyring),
    logger,
    metrics,
  });
  const groups = consumers.map(({ group = name, subscriptions, projects = true }) => ({
    ...createConsumer({ ...shared, group, subscriptions }),
    projects,
  }));
  const relay = createRelay({ ...shared, service: name, topics: published });
  const runs = (role: Role | undefined): boolean => role === undefined || config.ROLES.includes(role);
  health.check("mongo", () => mongo.ping());
  if (runs("worker")) health.check("projections", () => caughtUp(groups.filter(({ projects }) => projects)));
  const ports = { grpc: 0, health: 0 };

  return {
    ports,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    async start() {
      ports.health = (await health.start()).port;
      await migrate(mongo, [...definition.migrations, idempotencyMigration, outbox.migration], logger);
      await requireKnownKeys(mongo, keyring, sealed);
      for (const part of parts) if (runs(part.role)) await part.start?.();
      if (runs("api")) ports.grpc = (await server.start()).port;
      if (runs("relay")) await relay.start();
      health.setReady(true);
      logger.info({ roles: config.ROLES, ...ports }, "ready");
      // Last, because joining a group takes long while Kafka is unavailable. Readiness waits for `projections`.
      if (runs("worker")) for (const group of groups) await group.start();
    },
    async stop() {
      health.setReady(false);
      await stopInOrder(
        [
          { name: "rpc", stop: () => server.stop(config.SHUTDOWN_TIMEOUT_MS * drainShare) },
          { name: "consumers", stop: () => Promise.all(groups.map((group) => group.stop())) },
          ...parts.toReversed(),
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

/** A service that can't be built leaves no connection behind. */
async function build(definition: ServiceDefinition, base: ServiceBase): Promise<ServiceParts> {
  try {
    return await definition.build(base);
  } catch (error) {
    await base.mongo.close();
    throw error;
  }
}

async function caughtUp(groups: readonly Pick<Consumer, "caughtUp">[]): Promise<boolean> {
  return (await Promise.all(groups.map((group) => group.caughtUp()))).every(Boolean);
}
