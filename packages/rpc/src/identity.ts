import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { type Certificates, createRecent } from "@asset-register/runtime";
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { assertionProblem, parsePrincipal, principalKey } from "./claims.ts";
import type { Principal } from "./principal.ts";
import { serviceTokenRefused } from "./status.ts";

export type ServiceIdentity = {
  name: string;
  /** TLS of its connections, as server and as client. Without it they are not encrypted. */
  tls: Certificates | undefined;
  /**
   * Returns a token that asserts this principal to one service (`audienceOf`). It is signed once and reused for half a
   * minute.
   */
  tokenFor(principal: Principal, audience: string): Promise<string>;
  /**
   * Returns the principal of a token for this audience.
   *
   * @throws AppError SERVICE_TOKEN_REFUSED, an error between services: users never create tokens
   */
  verify(token: string, audience: string): Promise<Principal>;
};

export type ServiceIdentityOptions = {
  name: string;
  /** Ed25519, PKCS#8. */
  privateKeyPem: string;
  /** Public keys (SPKI) of each service that may call. During a rotation a service has several. */
  trustedKeys: Record<string, string[]>;
  tls?: Certificates | undefined;
  /** Clock in epoch milliseconds, for tests. */
  now?: () => number;
};

/** With the tolerance, a token is accepted for at most 60 s after its issue. */
const LIFETIME_S = 50;
const RENEW_AFTER_MS = 30_000;
/** Allowed difference between the clocks of two machines. */
const TOLERANCE_S = 10;
/** Size of the caches. With more credentials in a minute, tokens are signed and verified again. */
const CACHED = 10_000;

/**
 * Creates the identity of a service from its key pair and the keys that it trusts. Tokens are Ed25519 JWTs with a
 * lifetime of 50 s, each for one audience. Signed and verified tokens are cached, so that a request needs two look-ups
 * and no cryptography.
 */
export function createServiceIdentity(options: ServiceIdentityOptions): ServiceIdentity {
  const { name, now = Date.now } = options;
  const privateKey = createPrivateKey(options.privateKeyPem);
  const kid = keyId(createPublicKey(privateKey));
  const trusted = new Map(
    Object.entries(options.trustedKeys).map(([service, pems]) => [
      service,
      new Map(pems.map((pem) => createPublicKey(pem)).map((key) => [keyId(key), key])),
    ]),
  );
  const signed = createRecent<{ token: Promise<string> } & Span>(CACHED);
  const verified = createRecent<{ claims: Promise<Claims> } & Span>(CACHED);

  function sign(principal: Principal, audience: string): Promise<string> {
    const problem = assertionProblem(name, principal);
    if (problem !== undefined) return Promise.reject(new Error(problem));
    const issuedAt = Math.floor(now() / 1000);
    return new SignJWT({ prn: principal })
      .setProtectedHeader({ alg: "EdDSA", kid })
      .setIssuer(name)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S)
      .sign(privateKey);
  }

  async function check(token: string): Promise<Claims> {
    try {
      const issuer = decodeJwt(token).iss ?? "";
      const key = trusted.get(issuer)?.get(decodeProtectedHeader(token).kid ?? "");
      if (key === undefined) throw new Error(`the token is not signed with a trusted key of "${issuer}"`);
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["EdDSA"],
        issuer,
        requiredClaims: ["exp", "iat"],
        maxTokenAge: LIFETIME_S,
        clockTolerance: TOLERANCE_S,
        currentDate: new Date(now()),
      });
      const principal = parsePrincipal(payload.prn);
      const problem = assertionProblem(issuer, principal);
      if (problem !== undefined) throw new Error(problem);
      return { principal, audience: payload.aud };
    } catch (cause) {
      throw serviceTokenRefused(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  function checkOnce(token: string): Promise<Claims> {
    const at = now();
    const known = verified.get(token);
    if (known !== undefined && isWithin(known, at)) return known.claims;
    const claims = check(token);
    verified.set(token, { claims, from: at, until: endOf(token) });
    claims.catch(() => verified.delete(token));
    return claims;
  }

  return {
    name,
    tls: options.tls,
    tokenFor: (principal, audience) => {
      const key = `${audience}\n${principalKey(principal)}`;
      const at = now();
      const known = signed.get(key);
      if (known !== undefined && isWithin(known, at)) return known.token;
      const token = sign(principal, audience);
      signed.set(key, { token, from: at, until: at + RENEW_AFTER_MS });
      token.catch(() => signed.delete(key));
      return token;
    },
    verify: async (token, audience) => {
      const claims = await checkOnce(token);
      if (claims.audience === audience) return claims.principal;
      throw serviceTokenRefused(`the token is for ${String(claims.audience)}, not for ${audience}`);
    },
  };
}

type Claims = { principal: Principal; audience: string | string[] | undefined };

/** The time in which a cached entry is valid, in epoch milliseconds. It is not valid before `from`: the clock was set back. */
type Span = { from: number; until: number };

function isWithin({ from, until }: Span, time: number): boolean {
  return from <= time && time < until;
}

/** The end of a token's lifetime in epoch milliseconds, also if its issuer wrote a later one. 0 if it has none. */
function endOf(token: string): number {
  try {
    const { iat = 0, exp = 0 } = decodeJwt(token);
    return Math.min(exp, iat + LIFETIME_S) * 1000;
  } catch {
    return 0;
  }
}

function keyId(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("base64url").slice(0, 16);
}
