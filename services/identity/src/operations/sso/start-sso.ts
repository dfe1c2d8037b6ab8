import { notFound, unavailable } from "@asset-register/runtime";
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { Context } from "../../context.ts";
import { domainOfEmail } from "../../domain/sso/company-domain.ts";
import { isUsable, type UsableConnection } from "../../domain/sso/connection.ts";
import { ssoTimes } from "../../domain/sso/identity.ts";
import { isUnreachable, reasonOfProvider } from "../../providers/provider-error.ts";
import { findProvider, redirectUriOf } from "../../providers/sso.ts";
import { admitAddress } from "../sessions/admit-address.ts";
import type { SsoContext } from "./sso-context.ts";
import { sealState } from "./state.ts";

export type StartSso = { email: string; fresh: boolean; clientAddress?: string | undefined };

/** The page of the provider, and what the browser keeps in its cookie. */
export type Started = { location: string; state: string };

/**
 * Begins a sign-in. The domain of the address decides alone, so the answer reveals no account.
 * @throws AppError RATE_LIMITED, NOT_FOUND, UNAVAILABLE
 */
export async function startSso(
  context: SsoContext,
  { email, fresh, clientAddress }: StartSso,
): Promise<Started> {
  await admitAddress(context, "sign_in", clientAddress);
  const { sso, now } = context;
  const connection = await findConnection(context, email);
  if (connection === undefined) throw notFound("single sign-on for this domain");
  const { config } = await findProvider(sso, connection).catch((error) => {
    context.logger.warn(
      { connection_id: connection.id, reason: reasonOfProvider(error), unreachable: isUnreachable(error) },
      "a provider of single sign-on can't be used",
    );
    throw unavailable("The company's sign-in can't be reached. Retry later.", 10_000, error);
  });
  const endsAt = now().getTime() + ssoTimes.start;
  const started = {
    ...{ state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), fresh, endsAt },
  };
  const location = buildAuthorizationUrl(config, {
    redirect_uri: redirectUriOf(sso, connection.id),
    scope: connection.scopes.join(" "),
    response_mode: "query",
    code_challenge: await calculatePKCECodeChallenge(started.verifier),
    code_challenge_method: "S256",
    state: started.state,
    nonce: started.nonce,
    login_hint: email,
    ...(fresh && { prompt: "login", max_age: "0" }),
  });
  return { location: location.href, state: sealState(sso.keyring, connection.id, started) };
}

/** The connection at which the owner of an address signs in. Its domain decides alone. */
export async function findConnection(
  { stores }: Pick<Context, "stores">,
  email: string,
): Promise<UsableConnection | undefined> {
  const domain = await stores.companyDomains.findHeld(domainOfEmail(email));
  const connection = domain && (await stores.ssoConnections.get(domain.workspaceId));
  const workspace = domain && (await stores.workspaces.get(domain.workspaceId));
  return isUsable(connection) && workspace?.status === "active" ? connection : undefined;
}
