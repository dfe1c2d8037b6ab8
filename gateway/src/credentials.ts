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

/**
 * What a credential hangs on (itself, its user, its workspace): the key in Redis
 * of each, and the version that our knowledge is of. Identity raises a version
 * with each revocation or change of rights.
 */
export type Versions = { keys: readonly string[]; known: readonly number[] };

/** Who sends a request, as identity knows it. */
export type Caller = {
  principal: Extract<Principal, { kind: "user" | "api_key" }>;
  workspace: Workspace;
  versions: Versions;
  /** As identity's clock has it: to be shown, not to be compared with ours. */
  expiresAt: Date | undefined;
  keyName: string;
  /** Where a key may be used from; undefined for anywhere. */
  allowedFrom: AddressList | undefined;
  /** Digits after the point in the workspace's currency. */
  currencyDigits: number;
};

export type CredentialKind = "access_token" | "api_key";

export type Credentials = {
  /**
   * The caller behind a credential; `fresh` asks identity whatever is known.
   *
   * @throws AppError unauthenticated when identity does not know it, unavailable when identity is away
   */
  verify(kind: CredentialKind, credential: string, fresh?: boolean): Promise<Caller>;
};

/** What is known of a credential serves at most this long (http.md). */
const MAX_AGE_MS = 5_000;
/** What each API key begins with. */
const KEY_PREFIX = "ask_live_";
const MAX_KNOWN = 100_000;
/** Apart from what is known, so that made-up credentials push no real one out. */
const MAX_REFUSED = 10_000;

/**
 * Asks identity once for a credential that many requests carry at the same time,
 * and not at all for one that it has just refused. `now` is of a monotonic clock.
 */
export function createCredentials(
  identity: Client<typeof CredentialService>,
  now = () => performance.now(),
): Credentials {
  const known = new LRUCache<string, { caller: Caller; until: number }>({ max: MAX_KNOWN });
  const refused = new LRUCache<string, { error: AppError; until: number }>({ max: MAX_REFUSED });
  const asking = new Map<string, Promise<Caller>>();
  const aboutToAsk = new Map<string, Promise<Caller>>();

  const ask = async (kind: CredentialKind, credential: string): Promise<Caller> => {
    const sha256 = createHash("sha256").update(credential).digest();
    // Counted from before the question, what is left never ends later than identity means.
    const asked = now();
    try {
      const response = await identity.verifyCredential({
        credential:
          kind === "api_key"
            ? { case: "apiKeySha256", value: sha256 }
            : { case: "accessTokenSha256", value: sha256 },
      });
      const caller = asCaller(response);
      const left = response.expiresInMs === undefined ? MAX_AGE_MS : Number(response.expiresInMs);
      known.set(credential, { caller, until: asked + Math.min(left, MAX_AGE_MS) });
      refused.delete(credential);
      return caller;
    } catch (error) {
      known.delete(credential);
      if (isRefusal(error)) refused.set(credential, { error, until: asked + MAX_AGE_MS });
      throw error;
    }
  };

  /** An answer that is as new as this question, which those share who ask in the same moment. */
  const askAfresh = (kind: CredentialKind, credential: string): Promise<Caller> =>
    shared(aboutToAsk, credential, async () => {
      await setImmediate();
      aboutToAsk.delete(credential);
      return ask(kind, credential);
    });

  return {
    async verify(kind, credential, fresh = false) {
      if (fresh) return askAfresh(kind, credential);
      const hit = known.get(credential);
      if (hit !== undefined && now() < hit.until) return hit.caller;
      const refusal = refused.get(credential);
      if (refusal !== undefined && now() < refusal.until) throw refusal.error;
      if (kind === "api_key" && !isCheckedText(KEY_PREFIX, credential)) throw unauthenticated();
      return shared(asking, credential, () => ask(kind, credential));
    },
  };
}

/** Of the credential itself, or its workspace's plan; not that identity is away. */
const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "unauthenticated" || error.kind === "forbidden");

/** The promise that is there, or that of `work`, which is there until it ends. */
function shared<T>(under: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const there = under.get(key);
  if (there !== undefined) return there;
  const made = work().finally(() => {
    if (under.get(key) === made) under.delete(key);
  });
  under.set(key, made);
  return made;
}

function asCaller({ workspace, principal, expiresAt, rev }: VerifyCredentialResponse): Caller {
  if (workspace === undefined) throw unauthenticated();
  const rest = {
    workspace,
    currencyDigits: currencyDigits(workspace.currency),
    expiresAt: expiresAt === undefined ? undefined : timestampDate(expiresAt),
  };
  switch (principal.case) {
    case "user": {
      const { userId, sessionId, deviceUuid, capabilities, userRev } = principal.value;
      return {
        ...rest,
        versions: versionsOf([sessionId, rev], [userId, userRev], [workspace.id, workspace.rev]),
        keyName: "",
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
