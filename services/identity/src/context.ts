import type { Outbox } from "@asset-register/events";
import type { Mongo, TransactionCall } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import type { Logger } from "@asset-register/runtime";
import { createPasswords, type Passwords } from "./passwords.ts";
import { type ApiKeyStore, apiKeyStore } from "./store/api-keys.ts";
import { type AuditLog, auditLog } from "./store/audit-log.ts";
import type { CredentialVersions } from "./store/credential-versions.ts";
import { type CredentialStore, credentialStore } from "./store/credentials.ts";
import { type RefreshTokenStore, refreshTokenStore } from "./store/refresh-tokens.ts";
import { type SessionStore, sessionStore } from "./store/sessions.ts";
import { type SignInLimitStore, signInLimitStore } from "./store/sign-in-limits.ts";
import { type UserStore, userStore } from "./store/users.ts";
import { type WorkspaceStore, workspaceStore } from "./store/workspaces.ts";

/** What the operations work with: made once, by the service and by the operators' tool alike. */
export type Identity = {
  mongo: Mongo;
  outbox: Outbox;
  workspaces: WorkspaceStore;
  users: UserStore;
  sessions: SessionStore;
  refreshTokens: RefreshTokenStore;
  apiKeys: ApiKeyStore;
  credentials: CredentialStore;
  signInLimits: SignInLimitStore;
  audit: AuditLog;
  versions: CredentialVersions;
  passwords: Passwords;
  /** The server key that successors of refresh tokens are derived with. */
  pepper: string;
  /** The database's time, by which replicas agree. */
  clock: () => Date;
  logger: Logger;
};

/** On whose behalf an operation acts: an RPC's call is one, the operators' tool makes its own. */
export type Caller = Pick<Call, "workspaceId" | "actor"> & TransactionCall & { requestId?: string };

/** What a sign-in or refresh needs of its call: no answer of theirs is kept under a key. */
export type SignInCall = Pick<Call, "deadline" | "signal" | "requestId">;

export type IdentityParts = Pick<Identity, "mongo" | "outbox" | "versions" | "pepper" | "clock" | "logger">;

export async function createIdentity(parts: IdentityParts): Promise<Identity> {
  const { mongo } = parts;
  return {
    ...parts,
    workspaces: workspaceStore(mongo),
    users: userStore(mongo),
    sessions: sessionStore(mongo),
    refreshTokens: refreshTokenStore(mongo),
    apiKeys: apiKeyStore(mongo),
    credentials: credentialStore(mongo),
    signInLimits: signInLimitStore(mongo),
    audit: auditLog(mongo),
    passwords: await createPasswords(),
  };
}
