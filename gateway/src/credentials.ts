import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type {
  CredentialService,
  VerifyCredentialResponse,
} from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import type { Workspace } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { type Client, capabilityNames, type Principal } from "@asset-register/rpc";
import { AppError, currencyDigits, isCheckedText, unauthenticated } from "@asset-register/runtime";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { LRUCache } from "lru-cache";
import { type AddressList, addressList } from "./address-list.ts";
import { type ClientOfRequest, clientAddressOf } from "./client-address.ts";
import type { Versions } from "./rate-limit.ts";
import type { Refusals } from "./refusals.ts";

/** The sender of a request. */
export type Caller = {
  principal: Extract<Principal, { kind: "user" | "api_key" }>;
  workspace: Workspace;
  versions: Versions;
  /** By the clock of identity: for display, not for comparison with our clock. */
  expiresAt: Date | undefined;
  /** When the credential expires, by our monotonic clock, in ms. Undefined if it does not. */
  validUntil: number | undefined;
  keyName: string;
  /** The workspace requires a second factor, and the user has signed in without one. */
  mfaEnrolmentRequired: boolean;
  /** The addresses from which a key may be used. Undefined for any. */
  allowedFrom: AddressList | undefined;
  /** Decimals of the workspace's currency. */
  currencyDigits: number;
};

export type CredentialKind = "access_token" | "api_key";

export type Credentials = {
  /**
   * The caller with this credential, which `client` sent.
   *
   * @throws AppError unauthenticated for an unknown credential, unavailable if identity is unavailable, RATE_LIMITED
   *   when too many credentials of the client's network were refused
   */
  verify(kind: CredentialKind, credential: string, client: ClientOfRequest): Promise<Caller>;
  /** Asks identity again, even if the caller is cached, because the credential may have changed. */
  verifyAgain(kind: CredentialKind, credential: string): Promise<Caller>;
};

/** How long a cached caller may be used (http.md). */
const MAX_AGE_MS = 5_000;
/** The prefix of API keys. */
const KEY_PREFIX = "ask_live_";
const MAX_KNOWN = 100_000;
/** Refusals have a cache of their own, so that invented credentials do not displace real ones. */
const MAX_REFUSED = 10_000;

/**
 * Caches callers and refusals. Concurrent requests with one credential cause one call to identity. `now` reads a
 * monotonic clock, in ms.
 */
export function createCredentials(
  identity: Client<typeof CredentialService>,
  refusals: Refusals,
  now = () => performance.now(),
): Credentials {
  const known = new LRUCache<string, { caller: Caller; until: number }>({ max: MAX_KNOWN });
  const refused = new LRUCache<string, { error: AppError; until: number }>({ max: MAX_REFUSED });
  const asking = new Map<string, Promise<Caller>>();
  const aboutToAsk = new Map<string, Promise<Caller>>();

  const ask = async (kind: CredentialKind, credential: string, client?: ClientOfRequest): Promise<Caller> => {
    const sha256 = createHash("sha256").update(credential).digest();
    // Lifetimes count from before the call, so they never end later than those of identity.
    const asked = now();
    try {
      const response = await identity.verifyCredential({
        credential:
          kind === "api_key"
            ? { case: "apiKeySha256", value: sha256 }
            : { case: "accessTokenSha256", value: sha256 },
        clientAddress: kind === "api_key" && client ? clientAddressOf(client) : undefined,
      });
      const left = response.expiresInMs === undefined ? undefined : Number(response.expiresInMs);
      const caller = asCaller(response, left === undefined ? undefined : asked + left);
      known.set(credential, { caller, until: asked + Math.min(left ?? MAX_AGE_MS, MAX_AGE_MS) });
      refused.delete(credential);
      return caller;
    } catch (error) {
      known.delete(credential);
      if (isRefusal(error)) refused.set(credential, { error, until: asked + MAX_AGE_MS });
      throw error;
    }
  };

  /** Asks identity now. Requests of the same moment share the call. */
  const askAfresh = (kind: CredentialKind, credential: string): Promise<Caller> =>
    shared(aboutToAsk, credential, async () => {
      await setImmediate();
      aboutToAsk.delete(credential);
      return ask(kind, credential);
    });

  /** Asks identity about a credential that is new here. */
  const askAndCount = async (kind: CredentialKind, credential: string, client: ClientOfRequest) => {
    try {
      return await ask(kind, credential, client);
    } catch (error) {
      if (isRefusal(error)) await refusals.count({ client });
      throw error;
    }
  };

  return {
    async verify(kind, credential, client) {
      const hit = known.get(credential);
      if (hit !== undefined && now() < hit.until) return hit.caller;
      const refusal = refused.get(credential);
      if (refusal !== undefined && now() < refusal.until) throw refusal.error;
      if (kind === "api_key" && !isCheckedText(KEY_PREFIX, credential)) throw unauthenticated();
      refusals.admit({ client });
      return shared(asking, credential, () => askAndCount(kind, credential, client));
    },
    verifyAgain: askAfresh,
  };
}

/** Whether identity refused the credential, or its workspace's plan does. Other errors are not cached. */
export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "unauthenticated" || error.kind === "forbidden");

/** Runs `work`, unless it is running for this key: then its promise is shared. */
function shared<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const current = running.get(key);
  if (current !== undefined) return current;
  const started = work().finally(() => {
    if (running.get(key) === started) running.delete(key);
  });
  running.set(key, started);
  return started;
}

function asCaller(
  { workspace, principal, expiresAt, rev }: VerifyCredentialResponse,
  validUntil: number | undefined,
): Caller {
  if (workspace === undefined) throw unauthenticated();
  const rest = {
    workspace,
    validUntil,
    currencyDigits: currencyDigits(workspace.currency),
    expiresAt: expiresAt === undefined ? undefined : timestampDate(expiresAt),
  };
  switch (principal.case) {
    case "user": {
      const { userId, sessionId, deviceUuid, capabilities, userRev, mfaEnrolmentRequired } = principal.value;
      return {
        ...rest,
        versions: versionsOf([sessionId, rev], [userId, userRev], [workspace.id, workspace.rev]),
        keyName: "",
        mfaEnrolmentRequired,
        allowedFrom: undefined,
        principal: {
          kind: "user",
          workspaceId: workspace.id,
          id: userId,
          sessionId,
          deviceUuid,
          capabilities: capabilityNames.decodeAll(capabilities),
        },
      };
    }
    case "apiKey": {
      const { keyId, name, scopes, allowedAddresses } = principal.value;
      return {
        ...rest,
        versions: versionsOf([keyId, rev], [workspace.id, workspace.rev]),
        keyName: name,
        mfaEnrolmentRequired: false,
        allowedFrom: addressList(allowedAddresses),
        principal: { kind: "api_key", workspaceId: workspace.id, id: keyId, scopes },
      };
    }
    default:
      throw unauthenticated();
  }
}

const versionsOf = (...revs: [id: string, rev: number][]): Versions => ({
  keys: revs.map(([id]) => `credential-version:${id}`),
  known: revs.map(([, rev]) => rev),
});
