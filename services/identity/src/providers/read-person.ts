import { fetchUserInfo, type IDToken, type TokenEndpointResponse } from "openid-client";
import { isEmail } from "../domain/email.ts";
import type { SsoFields } from "../domain/sso/connection.ts";
import type { Person } from "../domain/sso/identity.ts";
import { ProviderAnswerError } from "./provider-error.ts";
import { type Provider, SKEW_SECONDS } from "./providers.ts";

type Claims = Readonly<Record<string, unknown>>;

/**
 * The provider's assertion of a person: the claims of the ID token, which the library has checked, and for claims that
 * it lacks those of the userinfo endpoint.
 */
export async function readPerson(
  { config }: Provider,
  tokens: Pick<TokenEndpointResponse, "access_token">,
  idToken: IDToken,
  { groupClaim }: Pick<SsoFields, "groupClaim">,
  now: Date,
): Promise<Person> {
  assertClaims(idToken, config.clientMetadata().client_id, now);
  const wanted = ["email", ...(groupClaim === undefined ? [] : [groupClaim])];
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
  const more: Claims =
    hasMore && wanted.some((claim) => idToken[claim] === undefined)
      ? await fetchUserInfo(config, tokens.access_token, idToken.sub)
      : {};
  const claims = { ...more, ...idToken };
  const { auth_time: authTime } = idToken;
  return {
    ...{ issuer: idToken.iss, subject: idToken.sub, email: emailOf(claims), claims },
    name: text(claims.name),
    providerSession: text(claims.sid),
    authenticatedAt: authTime === undefined ? undefined : new Date(Math.min(authTime * 1000, now.getTime())),
  };
}

/** The rules for an ID token that the library leaves to its user. */
function assertClaims({ azp, iat, sub }: IDToken, clientId: string, now: Date): void {
  if (azp !== undefined && azp !== clientId)
    throw new ProviderAnswerError("the ID token was issued to another client (azp)");
  if (iat > now.getTime() / 1000 + SKEW_SECONDS)
    throw new ProviderAnswerError("the ID token was issued in the future (iat)");
  // OpenID Connect Core 1.0, section 2.
  if (sub.length > 255) throw new ProviderAnswerError("the subject is too long (sub)");
}

/** An address that the provider has not verified is nobody's. */
function emailOf({ email, email_verified: verified }: Claims): string | undefined {
  if (typeof email !== "string" || !isEmail(email)) return undefined;
  return verified === undefined || verified === true || verified === "true" ? email : undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
