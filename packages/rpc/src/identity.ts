import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { createRecent } from "@asset-register/runtime";
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { assertionProblem, parsePrincipal, principalKey } from "./claims.ts";
import type { Principal } from "./principal.ts";
import { serviceTokenRefused } from "./status.ts";
import type { Tls } from "./tls.ts";

export type ServiceIdentity = {
  name: string;
  /** TLS of its connections, as server and as client. Without it they are not encrypted. */
  tls: Tls | undefined;
  /** Returns a token that asserts this principal. It is signed once and reused for half of its lifetime. */
  tokenFor(principal: Principal): Promise<string>;
  /**
   * Returns the principal of a token.
   *
   * @throws AppError SERVICE_TOKEN_REFUSED, an error between services: users never create tokens
   */
  verify(token: string): Promise<Principal>;
};

export type ServiceIdentityOptions = {
  name: string;
  /** Ed25519, PKCS#8. */
  privateKeyPem: string;
  /** Public keys (SPKI) of each service that may call. During a rotation a service has several. */
  trustedKeys: Record<string, string[]>;
  tls?: Tls | undefined;
  /** Clock in epoch milliseconds, for tests. */
  now?: () => number;
};

const AUDIENCE = "asset-register";
const LIFETIME_S = 60;
const RENEW_AFTER_MS = 30_000;
/** Allowed difference between the clocks of two machines. */
const TOLERANCE_S = 10;
/** Size of the caches. With more credentials in a minute, tokens are signed and verified again. */
const CACHED = 10_000;

/**
 * Creates the identity of a service from its key pair and the keys that it trusts. Tokens are Ed25519 JWTs with a
 * lifetime of 60 s. Signed and verified tokens are cached, so that a request needs two look-ups and no cryptography.
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
  const verified = createRecent<{ principal: Promise<Principal> } & Span>(CACHED);

  function sign(principal: Principal): Promise<string> {
    const problem = assertionProblem(name, principal);
    if (problem !== undefined) return Promise.reject(new Error(problem));
    const issuedAt = Math.floor(now() / 1000);
    return new SignJWT({ prn: principal })
      .setProtectedHeader({ alg: "EdDSA", kid })
      .setIssuer(name)
      .setAudience(AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S)
      .sign(privateKey);
  }

  async function check(token: string): Promise<Principal> {
    try {
      const issuer = decodeJwt(token).iss ?? "";
      const key = trusted.get(issuer)?.get(decodeProtectedHeader(token).kid ?? "");
      if (key === undefined) throw new Error(`the token is not signed with a trusted key of "${issuer}"`);
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["EdDSA"],
        issuer,
        audience: AUDIENCE,
        requiredClaims: ["exp", "iat"],
        maxTokenAge: LIFETIME_S,
        clockTolerance: TOLERANCE_S,
        currentDate: new Date(now()),
      });
      const principal = parsePrincipal(payload.prn);
      const problem = assertionProblem(issuer, principal);
      if (problem !== undefined) throw new Error(problem);
      return principal;
    } catch (cause) {
      throw serviceTokenRefused(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  return {
    name,
    tls: options.tls,
    tokenFor: (principal) => {
      const key = principalKey(principal);
      const at = now();
      const known = signed.get(key);
      if (known !== undefined && isWithin(known, at)) return known.token;
      const token = sign(principal);
      signed.set(key, { token, from: at, until: at + RENEW_AFTER_MS });
      token.catch(() => signed.delete(key));
      return token;
    },
    verify: (token) => {
      const at = now();
      const known = verified.get(token);
      if (known !== undefined && isWithin(known, at)) return known.principal;
      const principal = check(token);
      verified.set(token, { principal, from: at, until: expiryOf(token) });
      principal.catch(() => verified.delete(token));
      return principal;
    },
  };
}

/** The time in which a cached entry is valid, in epoch milliseconds. It is not valid before `from`: the clock was set back. */
type Span = { from: number; until: number };

function isWithin({ from, until }: Span, time: number): boolean {
  return from <= time && time < until;
}

/** The expiry of a token in epoch milliseconds. 0 if it has none, so that it is verified again each time. */
function expiryOf(token: string): number {
  try {
    return (decodeJwt(token).exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

function keyId(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("base64url").slice(0, 16);
}
