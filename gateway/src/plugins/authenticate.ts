import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { hasScope, holds } from "@asset-register/rpc";
import { exhausted, forbidden, unauthenticated } from "@asset-register/runtime";
import type { FastifyReply } from "fastify";
import fp from "fastify-plugin";
import type { Config, Rate } from "../config.ts";
import type { Caller, CredentialKind, Credentials } from "../credentials.ts";
import type { RouteAccess } from "../http/routes.ts";
import type { Allowance, RateLimiter } from "../rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who sends it; undefined on public routes and those of readers. */
    caller: Caller | undefined;
  }
}

export type AuthenticateOptions = {
  kind: CredentialKind;
  credentials: Credentials;
  limiter: RateLimiter;
  config: Config;
};

/** What each kind of credential looks like. */
const FORM: Record<CredentialKind, RegExp> = {
  api_key: /^Bearer (ask_live_[0-9A-Za-z]{36})$/i,
  access_token: /^Bearer (at_[0-9A-Za-z_-]{43})$/i,
};

/**
 * Finds out who calls, counts the call against its limit, and refuses one that
 * the route's scope or capability does not admit. All routes of a surface.
 */
export const authenticate = fp<AuthenticateOptions>(async (app, { kind, credentials, limiter, config }) => {
  app.decorateRequest("caller", undefined);

  app.addHook("onRequest", async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (access === undefined || "public" in access || "reader" in access) return;
    const credential = FORM[kind].exec(request.headers.authorization ?? "")?.[1];
    if (credential === undefined) throw unauthenticated();
    const known = await credentials.verify(kind, credential);
    // Before it counts: who found a key must not use up its workspace's allowance.
    requireAddress(known, request.ip);
    const stale = isLimitedByReader(access) ? await limiter.stale(known.versions) : await count(known, reply);
    const caller = stale ? await credentials.verify(kind, credential, true) : known;
    if (caller !== known) requireAddress(caller, request.ip);
    admit(access, caller);
    request.caller = caller;
  });

  /** Whether the caller is to be asked about anew. @throws AppError RATE_LIMITED */
  async function count(caller: Caller, reply: FastifyReply): Promise<boolean> {
    const rate = rateOf(caller, config);
    const allowance = await limiter.take(limitSubject(caller), rate, caller.versions);
    announce(reply, rate, allowance);
    if (!allowance.allowed) throw exhausted(TOO_MANY, allowance.retryAfterMs);
    return allowance.stale;
  }
});

const TOO_MANY = "Too many requests: wait as long as Retry-After says";

const isLimitedByReader = (access: RouteAccess): boolean =>
  "scope" in access && access.limitedBy === "reader";

function requireAddress({ allowedFrom }: Caller, address: string): void {
  if (allowedFrom?.admits(address) === false) throw forbidden(`This key may not be used from ${address}`);
}

function admit(access: RouteAccess, { principal }: Caller): void {
  if ("scope" in access && !(principal.kind === "api_key" && hasScope(principal, access.scope))) {
    throw forbidden(`This key lacks the scope ${access.scope}`);
  }
  if ("capability" in access && !(principal.kind === "user" && holds(principal, access.capability))) {
    throw forbidden(`This needs the capability ${access.capability}`);
  }
}

/** API keys share their workspace's allowance; a session has one of its own. */
function limitSubject({ principal }: Caller): string {
  return principal.kind === "user" ? principal.sessionId : principal.workspaceId;
}

/** The allowance that a caller's plan gives. */
export function rateOf({ principal, workspace }: Caller, config: Config): Rate {
  if (principal.kind === "user") return config.RATE_LIMIT_SESSION;
  return workspace.plan === Plan.ENTERPRISE ? config.RATE_LIMIT_ENTERPRISE : config.RATE_LIMIT_BUSINESS;
}

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Header fields of draft-ietf-httpapi-ratelimit-headers. */
function announce(reply: FastifyReply, { perMinute, burst }: Rate, { remaining, resetMs }: Allowance): void {
  reply.header("ratelimit-policy", `"default";q=${perMinute};w=60, "burst";q=${burst}`);
  reply.header("ratelimit", `"default";r=${remaining};t=${seconds(resetMs)}`);
}
