import {
  type Consumer,
  connectKafka,
  createConsumer,
  createGroupLagMeter,
  createOutbox,
  createOutboxWake,
  createRelay,
  type KafkaConnection,
  kafkaOptions,
  type Outbox,
  type Subscription,
  type Topic,
} from "@asset-register/events";
import {
  connectMongo,
  createDatabaseClock,
  createIdempotencyStore,
  idempotencyMigration,
  type Migration,
  type Mongo,
  migrate,
  requireKnownKeys,
  requireMigrated,
  type SealedField,
} from "@asset-register/mongo";
import { createNews, type News, namesRedis, redisOptions } from "@asset-register/redis";
import {
  createRpcServer,
  createServiceIdentity,
  type Implementation,
  identityOptions,
  type ServiceIdentity,
} from "@asset-register/rpc";
import {
  type App,
  type CertificateWatch,
  createCertificateWatch,
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

/** The context of the operations of every service. A service's own context adds its stores and clients. */
export type ServiceContext = {
  mongo: Mongo;
  outbox: Outbox;
  keyring: Keyring;
  logger: Logger;
  metrics: Metrics;
  /** The current time by the clock of the database, so that all replicas agree. A test can replace it. */
  now(): Date;
};

/** The base from which a service builds its own parts. */
export type ServiceBase = ServiceContext & {
  identity: ServiceIdentity;
  kafka: KafkaConnection;
  certificates: CertificateWatch;
};

/** A part that runs beside the RPC server and the consumers, or that must be closed. */
export type Part = {
  name: string;
  /** `start` runs in processes of this role. Without a role, in every process. */
  role?: Role;
  start?(): unknown;
  stop(): unknown;
};

export type ConsumerGroup = {
  /** Name of the group. Default: the name of the service. */
  group?: string;
  subscriptions: Subscription[];
  /** Readiness waits until the group has caught up for the first time. Set false for effects that are no projection. */
  projects?: boolean;
};

/** Everything that `build` creates. */
export type ServiceBuild = {
  rpc: Implementation[];
  consumers?: ConsumerGroup[];
  /** They start in this order before the RPC server, and stop in reverse order after it. */
  parts?: Part[];
  /** Share of SHUTDOWN_TIMEOUT_MS for running calls. Default: 0.6. */
  drainShare?: number;
};

export type ServiceDefinition = {
  name: string;
  config: ServiceConfig;
  /** Replaces the database's clock. */
  now?: (() => Date) | undefined;
  migrations: readonly Migration[];
  /** The fields that store sealed secrets. */
  sealed: readonly SealedField[];
  /** Topics of the outbox. */
  published: readonly Topic[];
  /** Creates the service's own parts. It must not start any of them. */
  build(base: ServiceBase): ServiceBuild | Promise<ServiceBuild>;
};

/** A service. `ports` are set by `start`, because the system chooses a port for a setting of 0. */
export type Service = App & { ports: { grpc: number; health: number } };

/**
 * Builds a service: logs, metrics, traces and health, its database with migrations, outbox and relay, consumers and
 * the RPC server. The settings select its roles. Nothing runs before `start`.
 *
 * @throws Error if the database is unavailable, or a setting is invalid
 */
export async function createService(definition: ServiceDefinition): Promise<Service> {
  const { name, config, sealed, published } = definition;
  const logger = createLogger({ service: name, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: name });
  const tracing = startTracing({ service: name, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const certificates = createCertificateWatch({ logger, metrics });
  const identity = createServiceIdentity(identityOptions(name, config, certificates));
  const keyring = createKeyring(config.KEYRING);
  const kafka = connectKafka({ ...kafkaOptions(config, certificates), clientId: name, logger });
  const mongo = await connectMongo({
    url: config.MONGO_URL,
    database: config.MONGO_DATABASE,
    production: config.NODE_ENV === "production",
    certificates,
    logger,
    metrics,
  });
  const shards = config.RELAY_SHARDS;
  const news = createOutboxNews(config, { mongo, certificates, logger });
  const wake = createOutboxWake(news);
  const outbox = createOutbox(mongo, { shards, wake });
  const clock = createDatabaseClock(mongo, logger);
  const { now = clock.now } = definition;
  const base = { mongo, outbox, keyring, logger, metrics, now, identity, kafka, certificates };
  const { rpc, consumers = [], parts: own = [], drainShare = 0.6 } = await build(definition, base);
  const parts = now === clock.now ? [{ name: "clock", ...clock }, ...own] : own;

  const shared = { kafka, mongo, logger, metrics };
  const server = createRpcServer({
    name,
    address: config.GRPC_ADDRESS,
    implementations: rpc,
    identity,
    idempotency: createIdempotencyStore(mongo, keyring),
    reflection: config.NODE_ENV !== "production",
    logger,
    metrics,
  });
  const groups = consumers.map(({ group = name, subscriptions, projects = true }) => ({
    ...createConsumer({
      ...{ ...shared, group, subscriptions },
      concurrency: config.CONSUMER_CONCURRENCY,
      fetchBytes: config.CONSUMER_FETCH_BYTES,
    }),
    projects,
  }));
  const lag = createGroupLagMeter({
    ...shared,
    groups: consumers.map(({ group = name, subscriptions }) => ({
      group,
      topics: subscriptions.map(({ topic }) => topic),
    })),
  });
  const relay = createRelay({ ...shared, service: name, shards, wake, topics: published });
  const runs = (role: Role | undefined): boolean => role === undefined || config.ROLES.includes(role);
  health.check("mongo", () => mongo.ping());
  if (runs("worker")) health.check("projections", () => caughtUp(groups.filter(({ projects }) => projects)));
  const ports = { grpc: 0, health: 0 };

  return {
    ports,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    async start() {
      ports.health = (await health.start()).port;
      certificates.start();
      const migrations = [...definition.migrations, idempotencyMigration, outbox.migration];
      if (config.MIGRATE === "never") await requireMigrated(mongo, migrations);
      else await migrate(mongo, migrations, logger);
      if (config.MIGRATE === "only") return "finished";
      await requireKnownKeys(mongo, keyring, sealed);
      news?.start();
      for (const part of parts) if (runs(part.role)) await part.start?.();
      if (runs("api")) ports.grpc = (await server.start()).port;
      if (runs("relay")) await relay.start();
      lag.start();
      health.setReady(true);
      logger.info({ roles: config.ROLES, ...ports }, "ready");
      // Last, because joining a group takes long while Kafka is unavailable. The check `projections` delays readiness.
      if (runs("worker")) for (const group of groups) await group.start();
      return "running";
    },
    async stop() {
      health.setReady(false);
      await stopInOrder(
        [
          { name: "rpc", stop: () => server.stop(config.SHUTDOWN_TIMEOUT_MS * drainShare) },
          { name: "consumers", stop: () => Promise.all(groups.map((group) => group.stop())) },
          ...parts.toReversed(),
          { name: "relay", stop: () => relay.stop() },
          { name: "news", stop: () => news?.stop() },
          { name: "lag", stop: () => lag.stop() },
          { name: "certificates", stop: () => certificates.stop() },
          { name: "mongo", stop: () => mongo.close() },
          { name: "health", stop: () => health.stop() },
          { name: "tracing", stop: () => tracing.stop() },
        ],
        { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, logger },
      );
    },
  };
}

/** Informs the relays of the service's other processes of shards with rows. Without Redis they look for them. */
function createOutboxNews(
  config: ServiceConfig,
  { mongo, certificates, logger }: Pick<ServiceBase, "mongo" | "certificates" | "logger">,
): News | undefined {
  if (!namesRedis(config)) return undefined;
  const options = { ...redisOptions(config, certificates), logger };
  return createNews(`asset-register:outbox:${mongo.database}`, options, (error) =>
    logger.debug({ err: error }, "relays of other processes not woken"),
  );
}

/** Builds the parts. If that fails, it closes the database connection. */
async function build(definition: ServiceDefinition, base: ServiceBase): Promise<ServiceBuild> {
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
