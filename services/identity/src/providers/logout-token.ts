import { errors, jwtVerify } from "jose";
import type { UsableConnection } from "../domain/sso/connection.ts";
import { ProviderAnswerError } from "./provider-error.ts";
import { ALGORITHMS, type Provider, SKEW_SECONDS } from "./providers.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** Whose sessions end, and until when the token must not be used again. */
export type LogoutToken = {
  id: string;
  subject: string | undefined;
  providerSession: string | undefined;
  endsAt: Date;
};

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 * @throws ProviderAnswerError
 */
export async function readLogoutToken(
  { keys }: Provider,
  { issuer, clientId }: Pick<UsableConnection, "issuer" | "clientId">,
  token: string,
  now: Date,
): Promise<LogoutToken> {
  const { payload } = await jwtVerify(token, keys, {
    ...{ issuer, audience: clientId, algorithms: ALGORITHMS, clockTolerance: SKEW_SECONDS, currentDate: now },
    ...{ maxTokenAge: "10m", requiredClaims: ["iat", "jti", "events"] },
  }).catch((error) => {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
      throw new ProviderAnswerError(error.message, { cause: error });
    throw error;
  });
  const { jti, sub, sid, events, nonce, exp, iat = 0 } = payload;
  if (typeof events !== "object" || events === null || !(EVENT in events))
    throw new ProviderAnswerError("it is no logout token (events)");
  // So that an ID token can't be used as a logout token.
  if (nonce !== undefined) throw new ProviderAnswerError("a logout token has no nonce");
  const providerSession = typeof sid === "string" ? sid : undefined;
  if (sub === undefined && providerSession === undefined)
    throw new ProviderAnswerError("a logout token has sub or sid");
  const endsAt = new Date(((exp ?? iat + 600) + SKEW_SECONDS) * 1000);
  return { id: jti ?? "", subject: sub, providerSession, endsAt };
}
