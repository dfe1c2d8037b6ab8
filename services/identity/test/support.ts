import { randomBytes } from "node:crypto";
import {
  createTestTopics,
  freshDatabase,
  freshPrefix,
  testKeyring,
  testKeys,
  testServers,
} from "@asset-register/harness";
import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { createRpcClient, createServiceIdentity, type Principal } from "@asset-register/rpc";
import { createLogger, createMetrics, loadConfig } from "@asset-register/runtime";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { type OpenStore, openStore } from "../src/open-store.ts";
import { type CreateWorkspace, createWorkspace } from "../src/operations/create-workspace.ts";

export const anonymous = { principal: { kind: "anonymous" } as const satisfies Principal };
export const password = "correct horse battery";

const logger = createLogger({ service: "test", level: "error" });

/** The service on real servers, with a database and topics of its own and a clock that can be put forward. */
export async function startIdentity() {
  const { mongoUrl, kafkaBrokers, redisUrl } = testServers();
  const keys = testKeys("gateway", "identity");
  const prefix = freshPrefix();
  await createTestTopics(prefix, [topics.workspace]);
  const env = {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    MONGO_URL: mongoUrl,
    MONGO_DATABASE: freshDatabase(),
    KAFKA_BROKERS: kafkaBrokers.join(","),
    TOPIC_PREFIX: prefix,
    REDIS_URL: redisUrl,
    GRPC_ADDRESS: "127.0.0.1:0",
    HEALTH_ADDRESS: "127.0.0.1:0",
    SERVICE_PRIVATE_KEY: keys.privateKeyPem.identity,
    TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
    KEYRING: testKeyring(),
    TOKEN_PEPPER: randomBytes(32).toString("hex"),
  };
  const config = loadConfig(configSchema, env);
  let ahead = 0;
  let stopped: number | undefined;
  const clock = (): Date => new Date((stopped ?? Date.now()) + ahead);
  const app = await buildApp(config, { clock });
  await app.start();
  const store = await openStore(config, { logger, clock });
  const clients = connect(app.ports.grpc, keys);
  return {
    ...clients,
    env,
    prefix,
    ports: app.ports,
    identity: store.identity,
    store,
    advance: (ms: number): void => {
      ahead += ms;
    },
    /** The clock stands still, but for `advance`, while `during` runs. */
    async withClockStopped<T>(during: () => Promise<T>): Promise<T> {
      stopped = Date.now();
      try {
        return await during();
      } finally {
        stopped = undefined;
      }
    },
    seed: (name: string, part: Partial<CreateWorkspace> = {}) => seed(store, name, part),
    async stop() {
      clients.close();
      await app.stop();
      await store.close();
    },
  };
}

export type RunningIdentity = Awaited<ReturnType<typeof startIdentity>>;

function connect(port: number, keys: ReturnType<typeof testKeys>) {
  const identity = createServiceIdentity({
    name: "gateway",
    privateKeyPem: keys.privateKeyPem.gateway ?? "",
    trustedKeys: keys.trustedKeys,
  });
  const metrics = createMetrics({ service: "test" });
  const options = { address: `127.0.0.1:${port}`, identity, metrics, logger, deadlineMs: 20_000 };
  const clients = {
    sessions: createRpcClient(SessionService, options),
    workspaces: createRpcClient(WorkspaceService, options),
    apiKeys: createRpcClient(ApiKeyService, options),
    credentials: createRpcClient(CredentialService, options),
  };
  const close = (): void => {
    for (const client of Object.values(clients)) client.close();
  };
  return { ...clients, close };
}

async function seed({ identity }: OpenStore, name: string, part: Partial<CreateWorkspace>) {
  const created = await createWorkspace(identity, {
    name,
    plan: "business",
    timeZone: "Europe/Berlin",
    currency: "EUR",
    numberPrefix: "AST-",
    fiscalYearStart: 1,
    admin: { email: `${name}@example.com`, name: "Ada", password },
    ...part,
  });
  const { workspace, admin } = created;
  const principal: Principal = {
    kind: "user",
    workspaceId: workspace.id,
    id: admin.id,
    sessionId: "ses_none",
    deviceUuid: "",
    capabilities: ["admin"],
  };
  return { ...created, as: { principal } };
}
