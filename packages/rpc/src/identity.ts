import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { objection, parsePrincipal, principalKey } from "./claims.ts";
import type { Principal } from "./principal.ts";
import { createRecent } from "./recent.ts";
import { serviceTokenRefused } from "./status.ts";
import type { Tls } from "./tls.ts";

export type ServiceIdentity = {
  name: string;
  /** Of its connections, as server and as client; without it they are in clear. */
  tls: Tls | undefined;
  /** A token that asserts this principal; signed once and shared until half of its life is over. */
  tokenFor(principal: Principal): Promise<string>;
  /** The principal of a token. @throws AppError SERVICE_TOKEN_REFUSED: tokens are made by services, never by users. */
  verify(token: string): Promise<Principal>;
};

export type ServiceIdentityOptions = {
  name: string;
  /** Ed25519, PKCS#8. */
  privateKeyPem: string;
  /** Public keys (SPKI) of each service that may call; several during a rotation. */
  trustedKeys: Record<string, string[]>;
  tls?: Tls | undefined;
  /** Milliseconds; for tests. */
  now?: () => number;
};

const AUDIENCE = "asset-register";
const LIFETIME_S = 60;
const RENEW_AFTER_MS = 30_000;
/** Clocks of two machines may differ by this. */
const TOLERANCE_S = 10;
/** Credentials in use within a minute; beyond, tokens are signed and verified again. */
const CACHED = 10_000;

/**
 * A service's own key pair and whom it trusts. Ed25519 JWTs of 60 s; tokens are cached when signed and
 * when verified, so that a request costs two look-ups and no cryptography.
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
    const refused = objection(name, principal);
    if (refused !== undefined) return Promise.reject(new Error(refused));
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
      if (key === undefined) throw new Error(`no trusted key of "${issuer}" signed this`);
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
      const refused = objection(issuer, principal);
      if (refused !== undefined) throw new Error(refused);
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

/** When what is cached holds, in milliseconds. A clock that is set back to before it says nothing about it any more. */
type Span = { from: number; until: number };

function isWithin({ from, until }: Span, time: number): boolean {
  return from <= time && time < until;
}

/** When to look again at a token, in milliseconds: its own end. At once when it names none. */
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
