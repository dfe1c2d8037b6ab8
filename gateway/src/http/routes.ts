import type { Capability } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { FastifyContextConfig } from "fastify";

/**
 * Who a route is for: a scope (surface A), a capability (surface B), any valid
 * credential, nobody in particular, or a reader, whose signature its service
 * checks. Requests count against the caller's limit, except where their readers
 * have limits of their own.
 */
export type RouteAccess =
  | { scope: string; limitedBy?: "reader" }
  | { capability: Capability }
  | { signedIn: true }
  | { public: true }
  | { reader: true };

/** That a route goes away, in days of UTC written "2026-01-31". */
export type Deprecation = {
  /** From when it is deprecated. */
  since: string;
  /** When it may be gone: at least six months later (http.md, Versions). */
  sunset: string;
  /** A page that says what to do. */
  link?: string;
  /** What takes its place. */
  successor?: string;
};

declare module "fastify" {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** The RPCs behind the route; the boot check holds them against `access`. */
    rpcs?: readonly DescMethod[];
    /** Why there is no ETag that If-Match could name; the boot check asks for one of the two. */
    unconditional?: string;
    deprecated?: Deprecation;
  }
}

/**
 * A route's config, typed: what every route must declare. One that goes away adds when, one that changes
 * what has no ETag adds why: `{ ...declared(access, rpc), deprecated: { since, sunset }, unconditional: "..." }`.
 */
export function declared(access: RouteAccess, ...rpcs: DescMethod[]): FastifyContextConfig {
  return { access, rpcs };
}
