import { createHash, randomBytes } from "node:crypto";
import {
  createTestTopics,
  freshDatabase,
  freshPrefix,
  testKeyring,
  testKeys,
  testServers,
} from "@asset-register/harness";
import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { type AuditEntry, AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { UserDirectoryService, UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import {
  type Capability,
  capabilityNames,
  createRpcClient,
  createServiceIdentity,
  type Principal,
} from "@asset-register/rpc";
import { createLogger, createMetrics, loadConfig } from "@asset-register/runtime";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { type OpenStore, openStore } from "../src/open-store.ts";
import { type CreateWorkspace, createWorkspace } from "../src/operations/create-workspace.ts";

export const anonymous = { principal: { kind: "anonymous" } as const satisfies Principal };
export const password = "correct horse battery";

const logger = createLogger({ service: "test", level: "error" });

/** The service on real servers, with a database and topics of its own and a clock that can be put forward. */
export async function startIdentity(settings: Record<string, string> = {}) {
  const { mongoUrl, kafkaBrokers, redisUrl } = testServers();
  const keys = testKeys("gateway", "identity", "register");
  const prefix = freshPrefix();
  await createTestTopics(prefix, [topics.workspace, topics.audit]);
  const env = {
    NODE_ENV: "test",
    LOG_LEVEL: "error",
    MONGO_URL: mongoUrl,
    MONGO_DATABASE: freshDatabase(),
    KAFKA_BROKERS: kafkaBrokers.join(","),
    TOPIC_PREFIX: prefix,
    REDIS_URL: redisUrl,
    // A busy test machine is not a Redis that is away.
    REDIS_TIMEOUT: "5s",
    GRPC_ADDRESS: "127.0.0.1:0",
    HEALTH_ADDRESS: "127.0.0.1:0",
    SERVICE_PRIVATE_KEY: keys.privateKeyPem.identity,
    TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
    KEYRING: testKeyring(),
    TOKEN_PEPPER: randomBytes(32).toString("hex"),
    ...settings,
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
    signIn: (email: string, part: { password?: string | undefined; deviceUuid?: string | undefined } = {}) =>
      signIn(clients, email, part),
    /** A user who was invited by an admin, accepted, and is signed in. */
    async member(
      as: { principal: Principal },
      email: string,
      capabilities: Capability[],
      deviceUuid?: string,
    ) {
      const codes = capabilities.map((name) => capabilityNames.encode(name));
      const { token } = await clients.users.inviteUser({ email, name: "Member", capabilities: codes }, as);
      await clients.users.acceptInvitation({ token, password }, anonymous);
      return signIn(clients, email, { deviceUuid });
    },
    /** Whom an access token stands for. */
    verify: (accessToken: string) => verify(clients, accessToken),
    /** What the audit log of a workspace holds, by action. */
    async audited(as: { principal: Principal }, action = ""): Promise<AuditEntry[]> {
      return (await clients.audit.listAuditLog({ action, page: { limit: 200 } }, as)).entries;
    },
    keys,
    config,
    async stop() {
      clients.close();
      await app.stop();
      await store.close();
    },
  };
}

export type RunningIdentity = Awaited<ReturnType<typeof startIdentity>>;

export function connect(port: number, keys: ReturnType<typeof testKeys>) {
  const nameOf = (name: "gateway" | "register") =>
    createServiceIdentity({
      name,
      privateKeyPem: keys.privateKeyPem[name] ?? "",
      trustedKeys: keys.trustedKeys,
    });
  const metrics = createMetrics({ service: "test" });
  const options = {
    address: `127.0.0.1:${port}`,
    identity: nameOf("gateway"),
    metrics,
    logger,
    deadlineMs: 20_000,
  };
  const clients = {
    sessions: createRpcClient(SessionService, options),
    workspaces: createRpcClient(WorkspaceService, options),
    devices: createRpcClient(DeviceService, options),
    users: createRpcClient(UserService, options),
    userDirectory: createRpcClient(UserDirectoryService, { ...options, identity: nameOf("register") }),
    audit: createRpcClient(AuditService, options),
    apiKeys: createRpcClient(ApiKeyService, options),
    credentials: createRpcClient(CredentialService, options),
  };
  const close = (): void => {
    for (const client of Object.values(clients)) client.close();
  };
  return { ...clients, close };
}

async function seed({ identity }: OpenStore, name: string, part: Partial<CreateWorkspace>) {
  const created = await createWorkspace(
    identity,
    {
      name,
      plan: "business",
      timeZone: "Europe/Berlin",
      currency: "EUR",
      numberPrefix: "AST-",
      fiscalYearStart: 1,
      admin: { email: `${name}@example.com`, name: "Ada", password },
      ...part,
    },
    { actor: { kind: "operator", id: "test" } },
  );
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

type Clients = ReturnType<typeof connect>;

function verify({ credentials }: Pick<Clients, "credentials">, accessToken: string) {
  const value = createHash("sha256").update(accessToken).digest();
  return credentials.verifyCredential({ credential: { case: "accessTokenSha256", value } }, {});
}

/** A session, with `as` to call as its user. */
export async function signIn(
  clients: Pick<Clients, "sessions" | "credentials">,
  email: string,
  part: { password?: string | undefined; deviceUuid?: string | undefined } = {},
) {
  const { tokens, deviceUuid } = await clients.sessions.login({ email, password, ...part }, anonymous);
  if (tokens === undefined) throw new Error("a sign-in without tokens");
  const verified = await verify(clients, tokens.accessToken);
  if (verified.principal.case !== "user" || verified.workspace === undefined) {
    throw new Error("a token that stands for no user");
  }
  const { userId, sessionId, capabilities } = verified.principal.value;
  const principal: Principal = {
    kind: "user",
    workspaceId: verified.workspace.id,
    id: userId,
    sessionId,
    deviceUuid,
    capabilities: capabilityNames.decodeAll(capabilities),
  };
  return {
    access: tokens.accessToken,
    refresh: tokens.refreshToken,
    deviceUuid,
    sessionId,
    userId,
    as: { principal },
  };
}
