import { connectKafka, createConsumer, createRelay, kafkaOptions } from "@asset-register/events";
import { createIdempotencyStore, requireKnownKeys } from "@asset-register/mongo";
import { createRpcServer, createServiceIdentity, identityOptions } from "@asset-register/rpc";
import {
  type App,
  createHealthServer,
  createKeyring,
  createLogger,
  createMetrics,
  startTracing,
  stopInOrder,
} from "@asset-register/runtime";
import type { Config } from "./config.ts";
import { subscriptions } from "./events.ts";
import { openStore } from "./open-store.ts";
import { published } from "./published.ts";
import { apiKeyRpc } from "./rpc/api-keys.ts";
import { auditRpc } from "./rpc/audit.ts";
import { credentialRpc } from "./rpc/credentials.ts";
import { deviceRpc } from "./rpc/devices.ts";
import { sessionRpc } from "./rpc/sessions.ts";
import { userDirectoryRpc } from "./rpc/user-directory.ts";
import { userRpc } from "./rpc/users.ts";
import { workspaceRpc } from "./rpc/workspaces.ts";
import { sealed } from "./sealed.ts";

const SERVICE = "identity";
const services = [
  sessionRpc,
  deviceRpc,
  userRpc,
  userDirectoryRpc,
  workspaceRpc,
  apiKeyRpc,
  credentialRpc,
  auditRpc,
] as const;

export type Overrides = { clock?: () => Date };
/** `ports` are known once it has started: a setting of 0 lets the system choose. */
export type IdentityApp = App & { ports: { grpc: number; health: number } };

/** All wiring of the service; nothing runs before `start`. */
export async function buildApp(config: Config, { clock }: Overrides = {}): Promise<IdentityApp> {
  const logger = createLogger({ service: SERVICE, level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: SERVICE });
  const tracing = startTracing({ service: SERVICE, endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  const health = createHealthServer({ address: config.HEALTH_ADDRESS, metrics, logger });
  const store = await openStore(config, { logger, metrics, clock });
  const { mongo, identity } = store;
  const keyring = createKeyring(config.KEYRING);

  const server = createRpcServer({
    name: SERVICE,
    address: config.GRPC_ADDRESS,
    implementations: services.map((rpc) => rpc(identity)),
    identity: createServiceIdentity(identityOptions(SERVICE, config)),
    idempotency: createIdempotencyStore(mongo, keyring),
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
    subscriptions: subscriptions(identity),
  });
  const relay = createRelay({ mongo, kafka, service: SERVICE, topics: published, logger, metrics });
  health.check("mongo", () => mongo.ping());

  const runs = (role: Config["ROLES"][number]): boolean => config.ROLES.includes(role);
  const ports = { grpc: 0, health: 0 };
  return {
    ports,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    async start() {
      ports.health = (await health.start()).port;
      await requireKnownKeys(mongo, keyring, sealed);
      if (runs("api")) ports.grpc = (await server.start()).port;
      if (runs("relay")) await relay.start();
      health.setReady(true);
      logger.info({ roles: config.ROLES, ...ports }, "ready");
      // After that: no answer but the audit log hangs on it, and with Kafka away joining the group takes long.
      if (runs("worker")) await consumer.start();
    },
    async stop() {
      health.setReady(false);
      await stopInOrder(
        [
          // Calls under way may take most of the time; the rest is quick.
          { name: "rpc", stop: () => server.stop(config.SHUTDOWN_TIMEOUT_MS * 0.6) },
          { name: "consumer", stop: () => consumer.stop() },
          { name: "relay", stop: () => relay.stop() },
          { name: "store", stop: () => store.close() },
          { name: "health", stop: () => health.stop() },
          { name: "tracing", stop: () => tracing.stop() },
        ],
        { timeoutMs: config.SHUTDOWN_TIMEOUT_MS, logger },
      );
    },
  };
}
