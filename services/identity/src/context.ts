import type { AuditedBy } from "@asset-register/audit";
import type { Mongo, TransactionCall } from "@asset-register/mongo";
import { createRedis, type RedisConfig, redisOptions } from "@asset-register/redis";
import type { Call, Origin } from "@asset-register/rpc";
import { type CertificateWatch, conflict, type Keyring } from "@asset-register/runtime";
import type { Part, ServiceContext } from "@asset-register/service";
import { type Challenges, createChallenges } from "./challenges.ts";
import type { Config } from "./config.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import type { Sso } from "./providers/sso.ts";
import { createAccountMailStore } from "./store/account-mails.ts";
import { createAccountTokenStore } from "./store/account-tokens.ts";
import { createApiKeyStore } from "./store/api-keys.ts";
import { createAuditLogStore } from "./store/audit-log.ts";
import { type CredentialVersions, createCredentialVersions } from "./store/credential-versions.ts";
import { createCredentialStore } from "./store/credentials.ts";
import { createExpiringApiKeyStore } from "./store/expiring-api-keys.ts";
import { createPasskeyStore } from "./store/passkeys.ts";
import { createRefreshTokenStore } from "./store/refresh-tokens.ts";
import { createSecondFactorStore } from "./store/second-factors.ts";
import { createSessionStore } from "./store/sessions.ts";
import { createSignInLimitStore } from "./store/sign-in-limits.ts";
import { createSsoCodeStore } from "./store/sso/codes.ts";
import { createSsoConnectionStore } from "./store/sso/connections.ts";
import { createCompanyDomainStore } from "./store/sso/domains.ts";
import { createSsoIdentityStore } from "./store/sso/identities.ts";
import { createSsoSessionStore } from "./store/sso/sessions.ts";
import { createUsedChallengeStore } from "./store/used-challenges.ts";
import { createUserStore } from "./store/users.ts";
import { createWorkspaceStore } from "./store/workspaces.ts";
import type { WebAuthn } from "./webauthn.ts";

export type Stores = ReturnType<typeof createStores>;

/** The context of operations. */
export type Context = Omit<ServiceContext, "keyring"> & {
  stores: Stores;
  credentialVersions: CredentialVersions;
  passwords: Passwords;
  /** The server key from which successors of refresh tokens are derived. */
  pepper: string;
  /** Whether there is a mail server. Without one no mail is queued. */
  sendsMails: boolean;
  /**
   * Seals the tokens of mails until they are sent.
   * @throws AppError MAIL_NOT_CONFIGURED without a mail server
   */
  requireMail(): Keyring;
  /** Seals the secrets of second factors. In the operators' tool it throws. */
  keyring: Pick<Keyring, "encrypt" | "decrypt">;
  challenges: Challenges;
  webauthn: WebAuthn;
  /** Whether an admin gets the token of an invitation in the answer. Otherwise it is mailed. */
  answersTokens: boolean;
  /** Absent in the operators' tool. */
  sso: Sso | undefined;
};

/**
 * On whose behalf an operation runs. The call of an RPC is one; the operators' tool makes its own, which has no principal.
 */
export type Caller = AuditedBy & TransactionCall & Partial<Pick<Call, "principal">>;

/** The part of a call that a sign-in and a refresh need. Their answers are not stored under an Idempotency-Key. */
export type SignInCall = Pick<Call, "deadline" | "signal" | keyof Origin>;

/** The operators' tool has no keyring: it mails no token. */
type Base = Omit<ServiceContext, "keyring"> &
  Partial<Pick<ServiceContext, "keyring">> & { certificates: CertificateWatch };

/** The operators' tool has no pepper: it refreshes no session. */
type Settings = RedisConfig &
  Partial<
    Pick<Config, "TOKEN_PEPPER" | "INVITATION_TOKENS" | "SMTP_URL" | "WEBAUTHN_RP_ID" | "WEBAUTHN_ORIGINS">
  >;

const noKeyring = (): never => {
  throw new Error("the operators' tool has no keyring");
};
const NO_KEYRING = { encrypt: noKeyring, decrypt: noKeyring };

/** The context of the service and of the operators' tool. Its parts must start before the first operation. */
export async function createContext(
  { keyring, certificates, ...base }: Base,
  {
    TOKEN_PEPPER: pepper = "",
    INVITATION_TOKENS: tokens,
    SMTP_URL,
    WEBAUTHN_RP_ID,
    WEBAUTHN_ORIGINS,
    ...settings
  }: Settings,
): Promise<{ context: Context; parts: Part[] }> {
  const redis = createRedis({ ...redisOptions(settings, certificates), logger: base.logger });
  const context: Context = {
    ...base,
    stores: createStores(base.mongo),
    credentialVersions: createCredentialVersions(redis, base.logger),
    passwords: await createPasswords(),
    pepper,
    sendsMails: SMTP_URL !== undefined,
    requireMail() {
      if (SMTP_URL !== undefined && keyring !== undefined) return keyring;
      throw conflict(
        "MAIL_NOT_CONFIGURED",
        "This installation sends no mail. Ask an admin of your workspace or the operator.",
        [{ field: "email", message: "can't be mailed to" }],
      );
    },
    keyring: keyring ?? NO_KEYRING,
    challenges: createChallenges(keyring ?? NO_KEYRING, base.now),
    webauthn: { rpId: WEBAUTHN_RP_ID ?? "", origins: WEBAUTHN_ORIGINS ?? [] },
    answersTokens: tokens === "answer",
    sso: undefined,
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
    accountMails: createAccountMailStore(mongo),
    accountTokens: createAccountTokenStore(mongo),
    apiKeys: createApiKeyStore(mongo),
    auditLog: createAuditLogStore(mongo),
    companyDomains: createCompanyDomainStore(mongo),
    credentials: createCredentialStore(mongo),
    expiringApiKeys: createExpiringApiKeyStore(mongo),
    passkeys: createPasskeyStore(mongo),
    secondFactors: createSecondFactorStore(mongo),
    usedChallenges: createUsedChallengeStore(mongo),
    refreshTokens: createRefreshTokenStore(mongo),
    sessions: createSessionStore(mongo),
    signInLimits: createSignInLimitStore(mongo),
    ssoCodes: createSsoCodeStore(mongo),
    ssoConnections: createSsoConnectionStore(mongo),
    ssoIdentities: createSsoIdentityStore(mongo),
    ssoSessions: createSsoSessionStore(mongo),
    users: createUserStore(mongo),
    workspaces: createWorkspaceStore(mongo),
  };
}
