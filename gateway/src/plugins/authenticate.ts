import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { hasScope, holds } from "@asset-register/rpc";
import { AppError, exhausted, forbidden, unauthenticated } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { clientAddressOf } from "../client-address.ts";
import type { Config, Rate } from "../config.ts";
import type { Caller, CredentialKind, Credentials } from "../credentials.ts";
import type { RouteAccess } from "../http/routes.ts";
import type { Allowance, RateLimiter } from "../rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The authenticated caller; undefined on public routes and routes of readers. */
    caller: Caller | undefined;
    /** The text of the caller's credential. */
    credential: string | undefined;
  }
}

export type AuthenticateOptions = {
  kind: CredentialKind;
  credentials: Credentials;
  limiter: RateLimiter;
  config: Config;
};

/** The Authorization header of each kind of credential. */
const AUTHORIZATION: Record<CredentialKind, RegExp> = {
  api_key: /^Bearer (ask_live_[0-9A-Za-z]{36})$/i,
  access_token: /^Bearer (at_[0-9A-Za-z_-]{43})$/i,
};

/** The message for a request without a credential of this kind. Often it has the other one, or another header. */
const NEEDED: Record<CredentialKind, string> = {
  api_key: "This surface needs an API key: send `Authorization: Bearer ask_live_...`.",
  access_token: "This surface needs the access token of a session: send `Authorization: Bearer at_...`.",
};

/**
 * For all routes of a surface: authenticates the caller, counts the request against the rate limit, and checks the
 * scope or capability of the route.
 */
export const authenticate = fp<AuthenticateOptions>(async (app, { kind, credentials, limiter, config }) => {
  app.decorateRequest("caller", undefined);
  app.decorateRequest("credential", undefined);

  app.addHook("onRequest", async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (access === undefined || "public" in access || "reader" in access) return;
    const credential = AUTHORIZATION[kind].exec(request.headers.authorization ?? "")?.[1];
    if (credential === undefined) throw unauthenticated(NEEDED[kind]);
    const known = await credentials.verify(kind, credential, request);
    // Before the request counts: a stolen key must not use up the rate limit of its workspace.
    requireAllowedAddress(known, request);
    const stale = isLimitedByReader(access)
      ? await limiter.stale(known.versions)
      : await countRequest(known, reply);
    const caller = stale ? await credentials.verifyAgain(kind, credential) : known;
    if (caller !== known) requireAllowedAddress(caller, request);
    if (caller.mfaEnrolmentRequired && !("beforeEnrolment" in access)) throw enrolmentRequired();
    requireAccess(access, caller);
    request.caller = caller;
    request.credential = credential;
  });

  /**
   * Counts a request. Returns whether identity must verify the credential again, because it may have changed.
   *
   * @throws AppError RATE_LIMITED
   */
  async function countRequest(caller: Caller, reply: FastifyReply): Promise<boolean> {
    const rate = rateOf(caller, config);
    const allowance = await limiter.take(limitSubject(caller), rate, caller.versions);
    setRateLimitHeaders(reply, rate, allowance);
    if (!allowance.allowed) throw exhausted(TOO_MANY, allowance.retryAfterMs);
    return allowance.stale;
  }
});

const TOO_MANY = "Too many requests. Retry after the time in the Retry-After header.";

const isLimitedByReader = (access: RouteAccess): boolean =>
  "scope" in access && access.limitedBy === "reader";

function requireAllowedAddress({ allowedFrom }: Caller, request: FastifyRequest): void {
  if (allowedFrom === undefined) return;
  const address = clientAddressOf(request);
  if (!allowedFrom.admits(address)) {
    throw forbidden(`This API key may not be used from the address ${address}.`);
  }
}

function requireAccess(access: RouteAccess, { principal, workspace }: Caller): void {
  if ("scope" in access && !(principal.kind === "api_key" && hasScope(principal, access.scope))) {
    throw forbidden(`This API key does not have the scope ${access.scope}.`);
  }
  if ("capability" in access && !(principal.kind === "user" && holds(principal, access.capability))) {
    throw forbidden(`This request needs the capability ${access.capability}.`);
  }
  if ("needsApiAccess" in access && workspace.plan === Plan.STARTER) throw planRequired();
}

/** Identity refuses API keys with the same error. */
const planRequired = (): AppError =>
  new AppError({
    kind: "forbidden",
    code: "PLAN_REQUIRED",
    message: "API access needs the business or the enterprise plan.",
  });

const enrolmentRequired = (): AppError =>
  new AppError({
    kind: "forbidden",
    code: "MFA_ENROLMENT_REQUIRED",
    message: "The workspace requires a second factor. Set one up at /me/mfa or /me/passkeys first.",
  });

/** The subject of a rate limit: all API keys of a workspace together, each session separately. */
function limitSubject({ principal }: Caller): string {
  return principal.kind === "user" ? principal.sessionId : principal.workspaceId;
}

/** The rate limit of a caller: that of sessions, or that of the workspace's plan. */
export function rateOf({ principal, workspace }: Caller, config: Config): Rate {
  if (principal.kind === "user") return config.RATE_LIMIT_SESSION;
  return workspace.plan === Plan.ENTERPRISE ? config.RATE_LIMIT_ENTERPRISE : config.RATE_LIMIT_BUSINESS;
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers. */
function setRateLimitHeaders(
  reply: FastifyReply,
  { perMinute, burst }: Rate,
  { remaining, resetMs }: Allowance,
): void {
  reply.header("ratelimit-policy", `"default";q=${perMinute};w=60, "burst";q=${burst}`);
  reply.header("ratelimit", `"default";r=${remaining};t=${seconds(resetMs)}`);
}
