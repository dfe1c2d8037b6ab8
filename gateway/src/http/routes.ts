import type { Capability } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { FastifyContextConfig } from "fastify";

/**
 * Who a route is for. Exactly one part is set: a scope (surface A), a
 * capability (surface B), any valid credential, nobody in particular, or a
 * reader, whose signature its service checks.
 */
export type RouteAccess =
  | { scope: string }
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
