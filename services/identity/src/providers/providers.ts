import { createGuardedFetch, type GuardedFetch, type Resolve, reasonOf } from "@asset-register/guarded-http";
import { createRecent } from "@asset-register/runtime";
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from "jose";
import * as openid from "openid-client";
import type { UsableConnection } from "../domain/sso/connection.ts";
import { ProviderAnswerError, ProviderUnreachableError } from "./provider-error.ts";

/** The signature algorithms of tokens that are accepted. "Ed25519" is the newer name of one form of EdDSA. */
export const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** Difference of the clocks of a provider and ours that is allowed. */
export const SKEW_SECONDS = 60;

/** Of each request to a provider. */
const TIMEOUT_MS = 3_000;

/** Documents with many keys or claims are smaller. */
const MAX_BYTES = 256 * 1024;

/** A provider that changes its addresses is noticed after this time. Its keys are looked at more often, see `keys`. */
const DISCOVERY_KEPT_MS = 3_600_000;

/** Providers whose documents are kept. */
const MAX_KEPT = 1_000;

/** A connection to a provider that was found. */
export type Provider = {
  config: openid.Configuration;
  /** The keys that sign its tokens. They are fetched again for an unknown key id, once a minute. */
  keys: JWTVerifyGetKey;
};

/** Finds providers, within the rules of guarded requests. */
export type Providers = {
  find(connection: UsableConnection, secret: string): Promise<Provider>;
  /** Without what is kept. */
  findAnew(connection: UsableConnection, secret: string): Promise<Provider>;
  fetchKeys(connection: Pick<UsableConnection, "issuer">, url: string): Promise<unknown>;
  close(): Promise<void>;
};

export type ProviderOptions = {
  resolve: Resolve;
  /** Issuers that may have private addresses, exactly. */
  privateIssuers: readonly string[];
  /** A certificate authority of private issuers besides those of the system, as PEM. */
  ca?: string | undefined;
  /** For the age of what is kept. */
  now: () => Date;
};

export function createProviders({ resolve, privateIssuers, ca, now }: ProviderOptions): Providers {
  const limits = { resolve, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const publicFetch = createGuardedFetch(limits);
  // The exception is for the calls of its own connections only: a provider of someone else can't lead to it.
  const privateFetches = new Map(
    privateIssuers.map((issuer) => [
      issuer,
      createGuardedFetch({ ...limits, ca, trustedOrigins: new Set([new URL(issuer).origin]) }),
    ]),
  );
  const kept = createRecent<{ provider: Provider; until: number }>(MAX_KEPT);

  const fetchOf = (issuer: string): openid.CustomFetch =>
    reportUnreachable(privateFetches.get(issuer) ?? publicFetch);

  async function findAnew(connection: UsableConnection, secret: string): Promise<Provider> {
    const { issuer, clientId } = connection;
    const fetch = fetchOf(issuer);
    const insecure = issuer.startsWith("http:");
    const found = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
      [openid.customFetch]: fetch,
      timeout: TIMEOUT_MS / 1000,
      ...(insecure && { execute: [openid.allowInsecureRequests] }),
    });
    const { supportsPKCE: _, ...metadata } = found.serverMetadata();
    // The library accepts several spellings for some providers.
    if (metadata.issuer !== issuer)
      throw new ProviderAnswerError(`the provider names itself ${metadata.issuer}, not ${issuer}`);
    const { jwks_uri: jwksUri } = metadata;
    if (jwksUri === undefined) throw new ProviderAnswerError("the provider names no keys (jwks_uri)");
    const config = new openid.Configuration(
      { ...metadata, id_token_signing_alg_values_supported: acceptedAlgorithms(metadata) },
      clientId,
      { [openid.clockTolerance]: SKEW_SECONDS },
      authenticationOf(metadata, secret),
    );
    config[openid.customFetch] = fetch;
    config.timeout = TIMEOUT_MS / 1000;
    if (insecure) openid.allowInsecureRequests(config);
    openid.enableNonRepudiationChecks(config);
    const keys = createRemoteJWKSet(new URL(jwksUri), {
      cooldownDuration: 60_000,
      timeoutDuration: TIMEOUT_MS,
      [joseFetch]: (url, { headers, method, signal }) =>
        fetch(url, {
          headers: Object.fromEntries(headers),
          method,
          signal,
          body: undefined,
          redirect: "manual",
        }),
    });
    return { config, keys };
  }

  return {
    findAnew,
    async find(connection, secret) {
      const key = `${connection.id}:${connection.rev}`;
      const known = kept.get(key);
      if (known !== undefined && known.until > now().getTime()) return known.provider;
      const provider = await findAnew(connection, secret);
      kept.set(key, { provider, until: now().getTime() + DISCOVERY_KEPT_MS });
      return provider;
    },
    async fetchKeys({ issuer }, url) {
      const answer = await fetchOf(issuer)(url, {
        ...{ method: "GET", headers: { accept: "application/json" }, body: undefined, redirect: "manual" },
      });
      if (answer.status !== 200) throw new ProviderAnswerError(`the keys answer with ${answer.status}`);
      return answer.json();
    },
    async close() {
      await Promise.all([publicFetch, ...privateFetches.values()].map((fetch) => fetch.close()));
    },
  };
}

/** The parts of the document of a provider. The type of the library loses its lists. */
type Metadata = {
  id_token_signing_alg_values_supported?: string[] | undefined;
  token_endpoint_auth_methods_supported?: string[] | undefined;
};

/** Without the list, OpenID Connect Discovery 1.0 requires RS256. */
function acceptedAlgorithms({ id_token_signing_alg_values_supported: supported }: Metadata): string[] {
  return ALGORITHMS.filter((algorithm) => (supported ?? ["RS256"]).includes(algorithm));
}

/** Without the list, OpenID Connect Discovery 1.0 means client_secret_basic. */
function authenticationOf(
  { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }: Metadata,
  secret: string,
): openid.ClientAuth {
  return methods.includes("client_secret_basic")
    ? openid.ClientSecretBasic(secret)
    : openid.ClientSecretPost(secret);
}

function reportUnreachable(fetch: GuardedFetch): openid.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    let answer: Response;
    try {
      answer = await fetch(url, { method, headers, body, signal });
    } catch (error) {
      throw new ProviderUnreachableError(reasonOf(error), { cause: error });
    }
    if (answer.status >= 500)
      throw new ProviderUnreachableError(`the provider answers with ${answer.status}`);
    return answer;
  };
}
