import { requireFound } from "@asset-register/runtime";
import { genericGrantRequest, ResponseBodyError, WWWAuthenticateChallengeError } from "openid-client";
import { isUsable, type UsableConnection } from "../../domain/sso/connection.ts";
import { reasonOfProvider } from "../../providers/provider-error.ts";
import { ALGORITHMS, type Provider } from "../../providers/providers.ts";
import { openSecret, redirectUriOf } from "../../providers/sso.ts";
import type { SsoContext } from "./sso-context.ts";

export type Check = {
  check: "discovery" | "algorithms" | "keys" | "client" | "domains";
  ok: boolean;
  message: string;
};

/** Checks the connection without what is kept of the provider, and changes nothing. */
export async function testConnection(context: SsoContext, workspaceId: string): Promise<Check[]> {
  const { stores, sso } = context;
  const connection = requireFound(await stores.ssoConnections.get(workspaceId), "single sign-on connection");
  const domains = await checkDomains(context, workspaceId);
  if (!isUsable(connection))
    return [{ check: "client", ok: false, message: "Client ID and client secret are missing." }, domains];
  let provider: Provider;
  try {
    provider = await sso.providers.findAnew(connection, openSecret(sso.keyring, connection));
  } catch (error) {
    return [failed("discovery", error), domains];
  }
  return [
    { check: "discovery", ok: true, message: `The provider ${connection.issuer} was found.` },
    checkAlgorithms(provider),
    await checkKeys(context, connection, provider),
    await checkClient(context, connection, provider),
    domains,
  ];
}

function checkAlgorithms({ config }: Provider): Check {
  const used = config.serverMetadata().id_token_signing_alg_values_supported ?? [];
  return used.length > 0
    ? { check: "algorithms", ok: true, message: `Tokens are signed with ${used.join(", ")}.` }
    : {
        check: "algorithms",
        ok: false,
        message: `The provider signs with none of ${ALGORITHMS.join(", ")}.`,
      };
}

async function checkKeys(
  { sso }: SsoContext,
  connection: UsableConnection,
  { config }: Provider,
): Promise<Check> {
  try {
    const keys = await sso.providers.fetchKeys(connection, config.serverMetadata().jwks_uri ?? "");
    const count = isKeySet(keys) ? keys.keys.length : 0;
    return count > 0
      ? { check: "keys", ok: true, message: `The provider publishes ${count} keys.` }
      : { check: "keys", ok: false, message: "The provider publishes no keys." };
  } catch (error) {
    return failed("keys", error);
  }
}

const isKeySet = (value: unknown): value is { keys: unknown[] } =>
  typeof value === "object" && value !== null && "keys" in value && Array.isArray(value.keys);

/** A provider refuses a wrong client before it looks at the code. */
async function checkClient(
  { sso }: SsoContext,
  { id }: UsableConnection,
  { config }: Provider,
): Promise<Check> {
  try {
    await genericGrantRequest(config, "authorization_code", {
      ...{ code: "test", redirect_uri: redirectUriOf(sso, id), code_verifier: "t".repeat(43) },
    });
    return { check: "client", ok: false, message: "The provider accepts an invented code." };
  } catch (error) {
    // RFC 6749, section 5.2: 401 is the answer to a client that could not be authenticated.
    if (error instanceof WWWAuthenticateChallengeError)
      return { check: "client", ok: false, message: "The provider refuses the client: invalid_client." };
    if (!(error instanceof ResponseBodyError)) return failed("client", error);
    return error.error === "invalid_grant"
      ? { check: "client", ok: true, message: "The provider accepts client ID and client secret." }
      : { check: "client", ok: false, message: `The provider refuses the client: ${error.error}.` };
  }
}

async function checkDomains({ stores }: SsoContext, workspaceId: string): Promise<Check> {
  const names = (await stores.companyDomains.listVerified(workspaceId)).map(({ domain }) => domain);
  return names.length > 0
    ? { check: "domains", ok: true, message: `People with addresses in ${names.join(", ")} can sign in.` }
    : { check: "domains", ok: false, message: "No domain is verified." };
}

const failed = (check: Check["check"], error: unknown): Check => ({
  ...{ check, ok: false },
  message: `${reasonOfProvider(error)}.`,
});
