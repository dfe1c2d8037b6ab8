import type { Capability } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { FastifyContextConfig } from "fastify";

/**
 * The callers that a route admits:
 *
 * | Access       | Caller                                                                     |
 * | ------------ | -------------------------------------------------------------------------- |
 * | `scope`      | an API key with the scope (surface A)                                      |
 * | `capability` | a user with the capability (surface B)                                     |
 * | `signedIn`   | any valid credential of the surface                                        |
 * | `public`     | anybody                                                                    |
 * | `reader`     | a reader; tagging-ingest checks the signature of the request               |
 *
 * With `needsApiAccess` the plan of the user's workspace must include API access, as it must for keys: else
 * PLAN_REQUIRED.
 *
 * `beforeEnrolment`: also for sessions that lack the second factor which their workspace requires. They get
 * MFA_ENROLMENT_REQUIRED elsewhere.
 *
 * A request counts against the rate limit of its credential. With `limitedBy: "reader"` only the limits of its
 * readers apply.
 */
export type RouteAccess =
  | { scope: string; limitedBy?: "reader" }
  | { capability: Capability; needsApiAccess?: true }
  | { signedIn: true; beforeEnrolment?: true }
  | { public: true }
  | { reader: true };

/** Announces the removal of a route. Days are in UTC: "2026-01-31". */
export type Deprecation = {
  /** The day from which the route is deprecated. */
  since: string;
  /** The day from which the route may be missing: at least six months later (http.md, Versions). */
  sunset: string;
  /** A page that explains how to migrate. */
  link?: string;
  /** The path of the route that replaces it. */
  successor?: string;
};

declare module "fastify" {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** The RPCs that the route calls. The boot check compares their access with `access`. */
    rpcs?: readonly DescMethod[];
    /** The RPCs that the route calls only for users who hold a further capability. The boot check compares them with it. */
    withMore?: readonly { capability: Capability; rpc: DescMethod }[];
    /** Why a route that changes a record compares no If-Match. Without an RPC that does, boot requires it. */
    unconditional?: string;
    deprecated?: Deprecation;
    /** The query is made by another program, which may add parameters: the route reads it as a whole. */
    anyQuery?: true;
  }
}

/**
 * The config that every route must have. A deprecated or unconditional route adds a property:
 * `{ ...declared(access, rpc), deprecated: { since, sunset }, unconditional: "why" }`.
 */
export function declared(access: RouteAccess, ...rpcs: DescMethod[]): FastifyContextConfig {
  return { access, rpcs };
}
