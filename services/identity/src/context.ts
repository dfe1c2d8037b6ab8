import type { AuditedBy } from "@asset-register/audit";
import type { Mongo, TransactionCall } from "@asset-register/mongo";
import { createRedis, redisOptions } from "@asset-register/redis";
import type { Call, Origin } from "@asset-register/rpc";
import type { CertificateWatch, Keyring } from "@asset-register/runtime";
import type { Part, ServiceContext } from "@asset-register/service";
import type { Config } from "./config.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createApiKeyStore } from "./store/api-keys.ts";
import { createAuditLogStore } from "./store/audit-log.ts";
import { type CredentialVersions, createCredentialVersions } from "./store/credential-versions.ts";
import { createCredentialStore } from "./store/credentials.ts";
import { createInvitationMailStore } from "./store/invitation-mails.ts";
import { createRefreshTokenStore } from "./store/refresh-tokens.ts";
import { createSessionStore } from "./store/sessions.ts";
import { createSignInLimitStore } from "./store/sign-in-limits.ts";
import { createUserStore } from "./store/users.ts";
import { createWorkspaceStore } from "./store/workspaces.ts";

export type Stores = ReturnType<typeof createStores>;

/** The context of operations. */
export type Context = Omit<ServiceContext, "keyring"> & {
  stores: Stores;
  credentialVersions: CredentialVersions;
  passwords: Passwords;
  /** The server key from which successors of refresh tokens are derived. */
  pepper: string;
  /** Seals the tokens of invitations until they are mailed. Absent when the answer of an invitation has its token. */
  invitationKeyring: Keyring | undefined;
};

/** On whose behalf an operation runs. The call of an RPC is one; the operators' tool makes its own. */
export type Caller = AuditedBy & TransactionCall;

/** The part of a call that a sign-in and a refresh need. Their answers are not stored under an Idempotency-Key. */
export type SignInCall = Pick<Call, "deadline" | "signal" | keyof Origin>;

/** The operators' tool has no keyring: it invites nobody. */
type Base = Omit<ServiceContext, "keyring"> &
  Partial<Pick<ServiceContext, "keyring">> & { certificates: CertificateWatch };

/** The operators' tool has no pepper: it refreshes no session. */
type Settings = Pick<Config, "REDIS_URL" | "REDIS_TLS_CA" | "REDIS_TIMEOUT"> &
  Partial<Pick<Config, "TOKEN_PEPPER" | "INVITATION_TOKENS">>;

/** The context of the service and of the operators' tool. Its parts must start before the first operation. */
export async function createContext(
  { keyring, certificates, ...base }: Base,
  { TOKEN_PEPPER: pepper = "", INVITATION_TOKENS: tokens, ...settings }: Settings,
): Promise<{ context: Context; parts: Part[] }> {
  const redis = createRedis({ ...redisOptions(settings, certificates), logger: base.logger });
  const context: Context = {
    ...base,
    stores: createStores(base.mongo),
    credentialVersions: createCredentialVersions(redis, base.logger),
    passwords: await createPasswords(),
    pepper,
    invitationKeyring: tokens === "mail" ? keyring : undefined,
  };
  return {
    context,
    parts: [
      // The service starts without Redis too.
      { name: "redis", start: () => redis.connect().catch(() => undefined), stop: () => redis.disconnect() },
    ],
  };
}

function createStores(mongo: Mongo) {
  return {
    apiKeys: createApiKeyStore(mongo),
    auditLog: createAuditLogStore(mongo),
    credentials: createCredentialStore(mongo),
    invitationMails: createInvitationMailStore(mongo),
    refreshTokens: createRefreshTokenStore(mongo),
    sessions: createSessionStore(mongo),
    signInLimits: createSignInLimitStore(mongo),
    users: createUserStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
