import { createHash, randomBytes } from "node:crypto";
import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { type AuditEntry, AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { DeviceService } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import { MfaService } from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import { NameService } from "@asset-register/proto/assetregister/identity/v1/name_pb";
import { PasskeyService } from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { PasswordService } from "@asset-register/proto/assetregister/identity/v1/password_pb";
import {
  type LoginResponse,
  SessionService,
} from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { UserDirectoryService, UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { type Capability, type Client, capabilityNames, type Principal } from "@asset-register/rpc";
import { createLogger, newId } from "@asset-register/runtime";
import { type Caller, openTopics, startService } from "@asset-register/service-harness";
import type { DescService } from "@bufbuild/protobuf";
import { afterAll } from "vitest";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import type { Context } from "../src/context.ts";
import { decodeCreateWorkspace } from "../src/decode/workspace.ts";
import { openContext } from "../src/open-context.ts";
import { createWorkspace } from "../src/operations/workspaces/create-workspace.ts";

export const anonymous = { principal: { kind: "anonymous" } as const satisfies Principal };
export const password = "correct horse battery";
const used = [topics.workspace, topics.audit];

/** An operator who acts in a workspace. */
export const operatorOf = (workspaceId: string) =>
  ({ workspaceId, actor: { kind: "operator", id: "test" } }) as const;

/** Identity on real servers, with a clock that a test can set. `context` uses the same database and clock. */
export async function startIdentity(settings: Record<string, string> = {}) {
  let ahead = 0;
  let stopped: number | undefined;
  const now = (): Date => new Date((stopped ?? Date.now()) + ahead);
  const service = await startService({
    ...{ name: "identity", buildApp, configSchema, topics: used },
    callers: ["register"],
    settings: { TOKEN_PEPPER: randomBytes(32).toString("hex"), ...settings },
    overrides: { now },
  });
  const logger = createLogger({ service: "test", level: "error" });
  const { context, close } = await openContext(service.config, logger, now);
  const clients = clientsOf(service.client);
  return {
    ...service,
    ...clients,
    context,
    ports: service.app.ports,
    advance: (ms: number): void => {
      ahead += ms;
    },
    /** The clock does not run, except by `advance`. */
    async withClockStopped<T>(during: () => Promise<T>): Promise<T> {
      stopped = Date.now();
      try {
        return await during();
      } finally {
        stopped = undefined;
      }
    },
    newWorkspace: (name: string, part: Partial<NewWorkspace> = {}) => newWorkspace(context, name, part),
    /** A workspace, with `as` to call as its admin. Only a list of its devices shows the session of `as`. */
    seed: (name: string, part: Partial<NewWorkspace> = {}) => seed(context, name, part),
    signIn: (email: string, part: SignInPart = {}) => signIn(clients, email, part),
    /** A user who was invited by an admin, has accepted, and is signed in. */
    async member(as: Caller, email: string, capabilities: Capability[], deviceUuid?: string) {
      const codes = capabilities.map((name) => capabilityNames.encode(name));
      const { token } = await clients.users.inviteUser({ email, name: "Member", capabilities: codes }, as);
      await clients.users.acceptInvitation({ token, password }, anonymous);
      return signIn(clients, email, { deviceUuid });
    },
    verify: (accessToken: string) => verifyToken(clients, accessToken),
    verifyKey: (key: string) =>
      clients.credentials.verifyCredential({ credential: { case: "apiKeySha256", value: digest(key) } }, {}),
    /** The audit log of a workspace, or its entries of one action. */
    async audited(as: Caller, action?: string): Promise<AuditEntry[]> {
      return (await clients.audit.listAuditLog({ action, page: { limit: 200 } }, as)).entries;
    },
    /** Clients of another process of the service. */
    clientsOfPort: (grpc: number) =>
      clientsOf((desc, as) => service.client(desc, as, { ...service.app, ports: { grpc, health: 0 } })),
    openTopics: () =>
      openTopics({ prefix: service.prefix, recorded: { workspace: topics.workspace }, published: used }),
    async stop() {
      await service.stop();
      await close();
    },
  };
}

/** The service of one test file, which stops it. E-mail addresses span workspaces, so files can't share one. */
export async function identityOfFile(): Promise<RunningIdentity> {
  const identity = await startIdentity();
  afterAll(() => identity.stop());
  return identity;
}

export type RunningIdentity = Awaited<ReturnType<typeof startIdentity>>;
type NewWorkspace = Parameters<typeof decodeCreateWorkspace>[0];
type SignInPart = { password?: string | undefined; deviceUuid?: string | undefined };
export type Clients = ReturnType<typeof clientsOf>;

function clientsOf(client: <D extends DescService>(desc: D, as?: string) => Client<D>) {
  return {
    sessions: client(SessionService),
    workspaces: client(WorkspaceService),
    devices: client(DeviceService),
    users: client(UserService),
    names: client(NameService),
    passwords: client(PasswordService),
    mfa: client(MfaService),
    passkeys: client(PasskeyService),
    userDirectory: client(UserDirectoryService, "register"),
    audit: client(AuditService),
    apiKeys: client(ApiKeyService),
    credentials: client(CredentialService),
    sso: client(SsoService),
  };
}

function newWorkspace(context: Context, name: string, part: Partial<NewWorkspace>) {
  const input = decodeCreateWorkspace({
    name,
    plan: "business",
    timeZone: "Europe/Berlin",
    currency: "EUR",
    numberPrefix: "AST-",
    fiscalYearStart: 1,
    adminEmail: `${name}@example.com`,
    adminName: "Ada",
    adminPassword: password,
    ...part,
  });
  return createWorkspace(context, input, { actor: { kind: "operator", id: "test" } });
}

async function seed(context: Context, name: string, part: Partial<NewWorkspace>) {
  const created = await newWorkspace(context, name, part);
  const { workspace, admin } = created;
  const sessionId = await insertRecentSession(context, workspace.id);
  const principal: Extract<Principal, { kind: "user" }> = {
    kind: "user",
    workspaceId: workspace.id,
    id: admin.id,
    sessionId,
    deviceUuid: "",
    capabilities: ["admin"],
  };
  return { ...created, as: { principal } };
}

/** A session that is always recent, so that tests can set the clock. It has no tokens and no user. */
async function insertRecentSession({ mongo, stores }: Context, workspaceId: string) {
  const id = newId("ses");
  const always = new Date("9999-01-01T00:00:00Z");
  const session = {
    ...{ id, workspaceId, userId: "usr_none", deviceUuid: "", family: "", accessTokens: [] },
    ...{ factors: ["password" as const], authenticatedAt: always, expiresAt: always },
  };
  await mongo.transaction({}, (transaction) =>
    stores.sessions.signIn(workspaceId, session, always, transaction),
  );
  return id;
}

/** The SHA-256 of a credential, as the gateway sends it. */
export const digest = (credential: string) => createHash("sha256").update(credential).digest();

const verifyToken = ({ credentials }: Pick<Clients, "credentials">, accessToken: string) =>
  credentials.verifyCredential({ credential: { case: "accessTokenSha256", value: digest(accessToken) } }, {});

/** A session, with `as` to call as its user. */
export async function signIn(
  clients: Pick<Clients, "sessions" | "credentials">,
  email: string,
  part: SignInPart = {},
) {
  return signedIn(clients, await clients.sessions.login({ email, password, ...part }, anonymous));
}

/** The session of an answer, with `as` to call as its user. */
export async function signedIn(
  clients: Pick<Clients, "credentials">,
  { tokens, deviceUuid }: Pick<LoginResponse, "tokens" | "deviceUuid">,
) {
  if (tokens === undefined) throw new Error("a sign-in without tokens");
  const verified = await verifyToken(clients, tokens.accessToken);
  if (verified.principal.case !== "user" || verified.workspace === undefined) {
    throw new Error("a token that belongs to no user");
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
