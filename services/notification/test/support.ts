import {
  createTestTopics,
  freshDatabase,
  freshPrefix,
  testKeyring,
  testKeys,
  testServers,
} from "@asset-register/harness";
import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { WebhookService } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { topics } from "@asset-register/proto/topics";
import { createRpcClient, createServiceIdentity, type Principal } from "@asset-register/rpc";
import { createLogger, createMetrics, loadConfig, newId } from "@asset-register/runtime";
import { buildApp, type NotificationApp, type Overrides } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { openStore } from "../src/open-store.ts";
import { startOwners } from "./owners.ts";
import { createPublisher } from "./publish.ts";

export const logger = createLogger({ service: "test", level: "error" });
const metrics = createMetrics({ service: "test" });

const used = [
  topics.workspace,
  topics.zone,
  topics.organisation,
  topics.asset,
  topics.movement,
  topics.checkout,
  topics.sighting,
  topics.alert,
  topics.audit,
];

/** The service on real servers, with a database, topics and neighbours of its own. */
export async function startNotification(overrides: Overrides = {}) {
  const { mongoUrl, kafkaBrokers } = testServers();
  const keys = testKeys("gateway", "notification", "register", "tagging-ingest");
  const prefix = freshPrefix();
  await createTestTopics(prefix, used, { partitions: 2 });
  const owners = await startOwners(keys);
  const env = {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    MONGO_URL: mongoUrl,
    MONGO_DATABASE: freshDatabase(),
    KAFKA_BROKERS: kafkaBrokers.join(","),
    TOPIC_PREFIX: prefix,
    GRPC_ADDRESS: "127.0.0.1:0",
    HEALTH_ADDRESS: "127.0.0.1:0",
    REGISTER_ADDRESS: `127.0.0.1:${owners.ports.register}`,
    TAGGING_INGEST_ADDRESS: `127.0.0.1:${owners.ports.tagging}`,
    SERVICE_PRIVATE_KEY: keys.privateKeyPem.notification,
    TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
    KEYRING: testKeyring(),
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    WEBHOOK_TIMEOUT_MS: "2000",
    SHUTDOWN_TIMEOUT_MS: "10000",
  };
  const start = async (change: Record<string, string> = {}): Promise<NotificationApp> => {
    const app = await buildApp(loadConfig(configSchema, { ...env, ...change }), overrides);
    await app.start();
    return app;
  };
  const app = await start();
  const store = await openStore(loadConfig(configSchema, env), { logger, metrics });
  const publisher = await createPublisher(prefix);
  const clients = connect(app.ports.grpc, keys);
  const more: NotificationApp[] = [];
  return {
    ...clients,
    ...publisher,
    app,
    env,
    prefix,
    store,
    owners,
    /** A zone that tagging has made. */
    zone(workspaceId: string, zoneId = newId("zon")): Promise<string> {
      owners.zones.add(`${workspaceId}:${zoneId}`);
      return publisher.zone(workspaceId, zoneId);
    },
    clientsOf: (running: NotificationApp) => connect(running.ports.grpc, keys),
    /** One more process of the service, so to speak. */
    async another(change: Record<string, string> = {}): Promise<NotificationApp> {
      const started = await start(change);
      more.push(started);
      return started;
    },
    async stop() {
      clients.close();
      await publisher.close();
      await Promise.all([app, ...more].map((running) => running.stop()));
      await owners.stop();
      await store.mongo.close();
    },
  };
}

export type RunningNotification = Awaited<ReturnType<typeof startNotification>>;

function connect(port: number, keys: ReturnType<typeof testKeys>) {
  const identity = createServiceIdentity({
    name: "gateway",
    privateKeyPem: keys.privateKeyPem.gateway ?? "",
    trustedKeys: keys.trustedKeys,
  });
  const options = { address: `127.0.0.1:${port}`, identity, metrics, logger, deadlineMs: 20_000 };
  const webhooks = createRpcClient(WebhookService, options);
  const alerts = createRpcClient(AlertService, options);
  return {
    webhooks,
    alerts,
    close: (): void => {
      webhooks.close();
      alerts.close();
    },
  };
}

/** A workspace with a program and a person in it. */
export function newWorkspace() {
  const workspaceId = newId("wsp");
  const program: Principal = {
    kind: "api_key",
    workspaceId,
    id: newId("key"),
    scopes: ["webhooks:read", "webhooks:write"],
  };
  const person: Principal = {
    kind: "user",
    workspaceId,
    id: newId("usr"),
    sessionId: newId("ses"),
    deviceUuid: "d1",
    capabilities: ["view", "alerts"],
  };
  return { workspaceId, asProgram: { principal: program }, asPerson: { principal: person } };
}

export type Workspace = ReturnType<typeof newWorkspace>;
