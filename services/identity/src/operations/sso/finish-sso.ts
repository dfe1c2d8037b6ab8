import { randomBytes } from "node:crypto";
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type TokenEndpointResponse,
} from "openid-client";
import type { SignInCall } from "../../context.ts";
import { isUsable, type UsableConnection } from "../../domain/sso/connection.ts";
import { type Person, type SsoFailure, type StartedSso, ssoTimes } from "../../domain/sso/identity.ts";
import { sha256, TOKEN_BYTES } from "../../domain/token.ts";
import { isUnreachable, ProviderAnswerError, reasonOfProvider } from "../../providers/provider-error.ts";
import { readPerson } from "../../providers/read-person.ts";
import { findProvider, redirectUriOf } from "../../providers/sso.ts";
import { findAccount } from "./find-account.ts";
import { sealProviderToken } from "./provider-token.ts";
import type { SsoContext } from "./sso-context.ts";
import { openState } from "./state.ts";

export type FinishSso = {
  connectionId: string;
  /** Of the request, without "?". */
  query: string;
  /** The cookie of the browser. Empty without it. */
  state: string;
  clientAddress?: string | undefined;
};

export type Finished = { code: string } | { error: SsoFailure };

/**
 * Takes the answer of the provider and finds the account of the person. The code is for the same browser: it has the
 * cookie of the start. Failures are results, because a person sees them.
 */
export async function finishSso(context: SsoContext, input: FinishSso, call: SignInCall): Promise<Finished> {
  const { stores, sso, now, logger } = context;
  const { connectionId, query, state } = input;
  const started = openState(sso.keyring, connectionId, state, now());
  if (started === undefined || new URLSearchParams(query).get("state") !== started.state)
    return { error: "SSO_EXPIRED" };
  const connection = await stores.ssoConnections.find(connectionId);
  const workspace = connection && (await stores.workspaces.get(connection.workspaceId));
  if (!isUsable(connection) || workspace?.status !== "active") return { error: "SSO_FAILED" };
  // A provider should refuse a second use of its code. Not all do.
  if (!(await stores.signInLimits.isFirst(sha256(`sso ${started.state}`), new Date(started.endsAt), now())))
    return { error: "SSO_EXPIRED" };

  let answer: Answer;
  try {
    answer = await askProvider(context, connection, started, query);
  } catch (error) {
    const failure = failureOf(error);
    logger.warn(
      { connection_id: connectionId, failure, reason: reasonOfProvider(error) },
      "a sign-in with a provider failed",
    );
    return { error: failure };
  }
  const found = await findAccount(context, connection, answer.person, {
    ...call,
    clientAddress: input.clientAddress,
  });
  return "error" in found
    ? found
    : { code: await saveCode(context, connection, found.userId, answer, started) };
}

type Answer = { person: Person; refreshToken: string | undefined };

async function askProvider(
  { sso, now }: SsoContext,
  connection: UsableConnection,
  { state, nonce, verifier, fresh }: StartedSso,
  query: string,
): Promise<Answer> {
  const provider = await findProvider(sso, connection);
  const url = new URL(`${redirectUriOf(sso, connection.id)}?${query}`);
  const tokens = await authorizationCodeGrant(provider.config, url, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    ...(fresh && { maxAge: 0 }),
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new ProviderAnswerError("the answer has no ID token");
  const person = await readPerson(provider, tokens, idToken, connection, now());
  return { person, refreshToken: refreshTokenOf(tokens) };
}

const refreshTokenOf = ({ refresh_token: token }: TokenEndpointResponse): string | undefined =>
  token || undefined;

function failureOf(error: unknown): SsoFailure {
  if (error instanceof AuthorizationResponseError) return "SSO_REFUSED";
  return isUnreachable(error) ? "SSO_UNAVAILABLE" : "SSO_FAILED";
}

async function saveCode(
  { stores, sso, now }: SsoContext,
  { id: connectionId, workspaceId }: UsableConnection,
  userId: string,
  { person, refreshToken }: Answer,
  { state }: StartedSso,
): Promise<string> {
  const code = randomBytes(TOKEN_BYTES).toString("base64url");
  const { subject, providerSession, authenticatedAt } = person;
  const id = sha256(code);
  await stores.ssoCodes.insert(workspaceId, {
    ...{ id, workspaceId, userId, connectionId, stateHash: sha256(state) },
    ...{ subject, providerSession, authenticatedAt },
    refreshToken:
      refreshToken === undefined
        ? undefined
        : sealProviderToken(sso.keyring, { collection: "sso_codes", id }, refreshToken),
    expiresAt: new Date(now().getTime() + ssoTimes.code),
  });
  return code;
}
