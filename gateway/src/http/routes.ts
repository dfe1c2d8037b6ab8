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

declare module "fastify" {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** The RPCs behind the route; the boot check holds them against `access`. */
    rpcs?: readonly DescMethod[];
  }
}

/** A route's config, typed: what every route must declare. */
export function declared(access: RouteAccess, ...rpcs: DescMethod[]): FastifyContextConfig {
  return { access, rpcs };
}
