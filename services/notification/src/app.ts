import { connectKafka, createConsumer, createRelay, kafkaOptions } from "@asset-register/events";
import { createRpcServer, createServiceIdentity, identityOptions } from "@asset-register/rpc";
import {
  type App,
  createHealthServer,
  createLogger,
  createMetrics,
  startTracing,
  stopInOrder,
} from "@asset-register/runtime";
import { createDirectory } from "./clients.ts";
import type { Config, Role } from "./config.ts";
import type { Context } from "./context.ts";
import { subscriptions } from "./events.ts";
import { openStore } from "./open-store.ts";
import { attemptDelivery } from "./operations/attempt-delivery.ts";
import { beginDeliveries } from "./operations/begin-deliveries.ts";
import { published } from "./published.ts";
import { createResolver, type Resolve } from "./resolver.ts";
import { alertService } from "./rpc/alerts.ts";
import { webhookService } from "./rpc/webhooks.ts";
import { createSender } from "./sender.ts";
import { createWorker } from "./worker.ts";

const SERVICE = "notification";

/** A lease must outlast the attempt and the saving of its outcome. */
const LEASE_FACTOR = 2;
const MIN_LEASE_MS = 3000;

export type Overrides = { resolve?: Resolve };
/** `ports` are known once it has started: a setting of 0 lets the system choose. */
export type NotificationApp = App & { ports: { grpc: number; health: number } };

/** All wiring of the service; nothing runs before `start`. */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<NotificationApp> {
  const logger = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: SERVICE });
  const tracing = startTracing({ service: SERVICE, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const identity = createServiceIdentity(identityOptions(SERVICE, config));
  const store = await openStore(config, { logger, metrics });
  const { mongo } = store;
  const allowedNetworks = config.WEBHOOK_ALLOWED_NETWORKS;
  const timeoutMs = config.WEBHOOK_TIMEOUT_MS;
  const resolve = overrides.resolve ?? createResolver();
  const owners = { register: config.REGISTER_ADDRESS, taggingIngest: config.TAGGING_INGEST_ADDRESS };
  const directory = createDirectory(owners, { identity, logger, metrics });
  const sender = createSender({ resolve, allowedNetworks, timeoutMs });
  const context: Context = { ...store, directory, sender, resolve, allowedNetworks };

  const server = createRpcServer({
    name: SERVICE,
    address: config.GRPC_ADDRESS,
    implementations: [webhookService(context), alertService(context)],
    identity,
    idempotency: store.idempotency,
    logger,
    metrics,
  });
  const kafka = connectKafka({ ...kafkaOptions(config), clientId: SERVICE, logger });
  const consumer = createConsumer({
    kafka,
    group: SERVICE,
    mongo,
    logger,
    metrics,
    subscriptions: subscriptions(context),
  });
  const relay = createRelay({ mongo, kafka, service: SERVICE, topics: published, logger, metrics });
  const leaseMs = Math.max(timeoutMs * LEASE_FACTOR, MIN_LEASE_MS);
  const worker = createWorker({
    due: store.due,
    begin: (endpoint) => beginDeliveries(context, endpoint, leaseMs),
    attempt: (attempt) => attemptDelivery(context, attempt),
    concurrency: config.WEBHOOK_CONCURRENCY,
    logger,
    metrics,
  });

  const runs = (role: Role): boolean => config.ROLES.includes(role);
  health.check("mongo", () => mongo.ping());
  if (runs("worker")) health.check("projections", () => consumer.caughtUp());
  const ports = { grpc: 0, health: 0 };
  return {
    ports,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    async start() {
      ports.health = (await health.start()).port;
      if (runs("api")) ports.grpc = (await server.start()).port;
      // First: the relay and the consumer wait for Kafka, and joining a group up to 30 s for a member that died.
      if (runs("worker")) worker.start();
      if (runs("relay")) await relay.start();
      if (runs("worker")) await consumer.start();
      health.setReady(true);
      logger.info({ roles: config.ROLES, ...ports }, "ready");
    },
    async stop() {
      health.setReady(false);
      await stopInOrder(
        [
          { name: "rpc", stop: () => server.stop(config.SHUTDOWN_TIMEOUT_MS * 0.2) },
          { name: "consumer", stop: () => consumer.stop() },
          // Attempts under way end by their time-out; whatever is cut off is attempted again.
          { name: "deliveries", stop: () => worker.stop() },
          { name: "relay", stop: () => relay.stop() },
          { name: "sender", stop: () => sender.close() },
          { name: "clients", stop: () => directory.close() },
          { name: "store", stop: () => mongo.close() },
          { name: "health", stop: () => health.stop() },
          { name: "tracing", stop: () => tracing.stop() },
        ],
        { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, logger },
      );
    },
  };
}
