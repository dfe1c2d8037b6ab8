import { randomUUID } from "node:crypto";
import {
  connectKafka,
  createConsumer,
  createOutbox,
  createProducer,
  createRelay,
  type KafkaConnection,
  kafkaOptions,
} from "@asset-register/events";
import {
  connectMongo,
  createIdempotencyStore,
  createLease,
  migrate,
  requireKnownKeys,
  runLeased,
} from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { createFallbacks, createRedis } from "@asset-register/redis";
import { createRpcServer, createServiceIdentity, identityOptions } from "@asset-register/rpc";
import {
  type App,
  createHealthServer,
  createLogger,
  createMetrics,
  startTracing,
  stopInOrder,
} from "@asset-register/runtime";
import { migrations } from "../migrations/index.ts";
import { connectRegister } from "./clients.ts";
import type { Config } from "./config.ts";
import { projections, readerEvents } from "./events.ts";
import { openStores, type Stores } from "./open-stores.ts";
import { applyAssets } from "./operations/apply-assets.ts";
import { applyWorkspaces } from "./operations/apply-workspaces.ts";
import { createAuthenticate } from "./operations/authenticate.ts";
import { commissionTag } from "./operations/commission-tag.ts";
import { createReader } from "./operations/create-reader.ts";
import { createZone } from "./operations/create-zone.ts";
import { createCredentialCache } from "./operations/credential-cache.ts";
import { departTags } from "./operations/depart-tags.ts";
import { createDueReads } from "./operations/due-reads.ts";
import { createEventWriter } from "./operations/event-writer.ts";
import { freeTags } from "./operations/free-tags.ts";
import { ingestBatches } from "./operations/ingest-batches.ts";
import { ingestEvents } from "./operations/ingest-events.ts";
import { processReads } from "./operations/process-reads.ts";
import { publishOutcomes } from "./operations/publish-outcomes.ts";
import { createReaderActivity } from "./operations/reader-activity.ts";
import { resolveReads } from "./operations/resolve-reads.ts";
import { retainEvents } from "./operations/retain-events.ts";
import { revokeReader } from "./operations/revoke-reader.ts";
import { rotateReaderSecret } from "./operations/rotate-reader-secret.ts";
import { setZoneLocations } from "./operations/set-zone-locations.ts";
import { published } from "./published.ts";
import { ingestService } from "./rpc/ingest.ts";
import { readerService } from "./rpc/readers.ts";
import { tagService } from "./rpc/tags.ts";
import { zoneDirectoryService } from "./rpc/zone-directory.ts";
import { zoneService } from "./rpc/zones.ts";
import { sealed } from "./sealed.ts";
import { createTopicPosition } from "./store/topic-position.ts";

const SERVICE = "tagging-ingest";
const READS_GROUP = `${SERVICE}-reads`;
/** A reader's liveness and counters are written at most this often. */
const ACTIVITY_EVERY_MS = 10_000;

/** `ports` are known once it has started: a setting of 0 lets the system choose. */
export type TaggingApp = App & { ports: { grpc: number; health: number } };
export type Overrides = { now?: () => number };

/** All wiring of the service; nothing runs before `start`. */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<TaggingApp> {
  const logger = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: SERVICE });
  const tracing = startTracing({ service: SERVICE, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const { MONGO_URL: url, MONGO_DATABASE: database } = config;
  const mongo = await connectMongo({ url, database, logger, metrics });
  const redis = createRedis({ url: config.REDIS_URL, timeoutMs: config.REDIS_TIMEOUT, logger });
  const stores = openStores(config, { mongo, redis, logger });
  const kafka = connectKafka({ ...kafkaOptions(config), clientId: SERVICE, logger });
  const shared: Shared = { config, stores, kafka, logger, metrics, now: overrides.now ?? Date.now };
  const api = buildApi(shared);
  const worker = buildWorker(shared);
  const relay = createRelay({ mongo, kafka, service: SERVICE, topics: published, logger, metrics });
  const runs = (role: Config["ROLES"][number]): boolean => config.ROLES.includes(role);
  health.check("mongo", () => mongo.ping());
  if (runs("worker")) health.check("projections", () => worker.caughtUp());
  const ports = { grpc: 0, health: 0 };

  return {
    ports,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    async start() {
      ports.health = (await health.start()).port;
      await migrate(mongo, migrations, logger);
      await requireKnownKeys(mongo, stores.keyring, sealed);
      // Without Redis ingest goes on, so that it may come later.
      await redis.connect().catch(() => undefined);
      if (runs("api")) ports.grpc = (await api.start()).port;
      // Last: with Kafka away, or a member that died, joining the group takes long.
      if (runs("relay")) await relay.start();
      if (runs("worker")) await worker.start();
      health.setReady(true);
      logger.info({ roles: config.ROLES, ...ports }, "ready");
    },
    async stop() {
      health.setReady(false);
      await stopInOrder(
        [
          // Calls under way may take most of the time; the rest is quick.
          { name: "api", stop: () => api.stop(config.SHUTDOWN_TIMEOUT_MS * 0.6) },
          { name: "worker", stop: () => worker.stop() },
          { name: "relay", stop: () => relay.stop() },
          { name: "redis", stop: () => redis.disconnect() },
          { name: "mongo", stop: () => mongo.close() },
          { name: "health", stop: () => health.stop() },
          { name: "tracing", stop: () => tracing.stop() },
        ],
        { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, logger },
      );
    },
  };
}

type Shared = {
  config: Config;
  stores: Stores;
  kafka: KafkaConnection;
  logger: ReturnType<typeof createLogger>;
  metrics: ReturnType<typeof createMetrics>;
  now: () => number;
};

/** Answers calls: management, and the hot path of ingest. */
function buildApi({ config, stores, kafka, logger, metrics, now }: Shared) {
  const { mongo, keyring, readers, zones, tags, guard } = stores;
  const outbox = createOutbox(mongo);
  const identity = createServiceIdentity(identityOptions(SERVICE, config));
  const register = connectRegister({ address: config.REGISTER_ADDRESS, identity, metrics, logger });
  const timeoutMs = config.SEND_TIMEOUT_MS;
  const producer = createProducer({ kafka, logger, metrics, topics: [topics.readerEvent], timeoutMs });
  const activity = createReaderActivity({ mongo, outbox, readers, logger, storeEveryMs: ACTIVITY_EVERY_MS });
  const credentials = createCredentialCache(stores.credentials, keyring, now);
  const ingest = {
    authenticate: createAuthenticate({ credentials, guard, fellBack: createFallbacks(logger, metrics), now }),
    writer: createEventWriter(producer, { timeoutMs }),
    ...{ guard, activity, logger, now },
  };
  const manage = { ...stores, outbox, register };
  const server = createRpcServer({
    name: SERVICE,
    address: config.GRPC_ADDRESS,
    implementations: [
      readerService({
        createReader: createReader(manage),
        rotateReaderSecret: rotateReaderSecret(manage),
        revokeReader: revokeReader(manage),
        getReader: readers.get,
        listReaders: readers.list,
      }),
      zoneService({
        createZone: createZone(manage),
        setZoneLocations: setZoneLocations(manage),
        listZones: zones.list,
      }),
      zoneDirectoryService({ getZones: zones.getMany }),
      tagService({ commissionTag: commissionTag(manage), listTags: tags.list }),
      ingestService({ ingestEvents: ingestEvents(ingest), ingestBatches: ingestBatches(ingest) }),
    ],
    identity,
    idempotency: createIdempotencyStore(mongo, keyring),
    logger,
    metrics,
  });
  return {
    async start() {
      // A broker that is away is tried again by each send.
      await producer
        .connect()
        .catch((error: unknown) =>
          logger.warn({ err: error }, "the broker is away; events are refused until it is back"),
        );
      activity.start();
      return server.start();
    },
    async stop(drainMs: number) {
      await server.stop(drainMs);
      await activity.stop();
      await producer.disconnect();
      register.close();
    },
  };
}

/** Consumes: projections, and the reads of tags. */
function buildWorker({ config, stores, kafka, logger, metrics }: Shared) {
  const { mongo, presences } = stores;
  const outbox = createOutbox(mongo);
  const publish = publishOutcomes({ ...stores, outbox });
  const lease = createLease(mongo, { name: "due-sweep", holder: randomUUID(), ttlMs: 15_000 });
  const reads = createDueReads({
    process: processReads({
      ...stores,
      resolve: resolveReads(stores),
      publish,
      windowMs: config.REORDER_WINDOW_MS,
    }),
    depart: departTags({ ...stores, publish }),
    presences,
    position: createTopicPosition(kafka, topics.readerEvent, READS_GROUP),
    alone: async (work) => void (await runLeased(lease, work)),
    logger,
    sweepMs: config.DUE_SWEEP_MS,
  });
  const retention = retainEvents({ ...stores, days: config.EVENT_RETENTION_DAYS, logger });
  const consume = { kafka, mongo, logger, metrics };
  const projected = createConsumer({
    ...consume,
    group: SERVICE,
    subscriptions: projections({
      applyWorkspaces: applyWorkspaces(stores),
      applyAssets: applyAssets({ ...stores, freeTags: freeTags({ ...stores, outbox }) }),
    }),
  });
  const readings = createConsumer({ ...consume, group: READS_GROUP, subscriptions: [readerEvents(reads)] });
  return {
    caughtUp: () => projected.caughtUp(),
    async start() {
      await projected.start();
      await readings.start();
      reads.start();
      retention.start();
    },
    async stop() {
      await Promise.all([projected.stop(), readings.stop()]);
      await reads.stop();
      await retention.stop();
    },
  };
}
