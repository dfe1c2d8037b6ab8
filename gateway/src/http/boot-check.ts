import { accessOf, admits, type Principal, takesIfRev } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { RouteOptions } from "fastify";
import type { RouteAccess } from "./routes.ts";

/**
 * Refuses a route that declares nothing, that would let in a caller whom its
 * RPC turns away, or that changes a record whatever If-Match says: route and
 * RPC can't drift apart.
 *
 * @throws Error naming the route, at boot
 */
export function checkRoute(route: RouteOptions): void {
  if (isPreflight(route)) return;
  const name = `${String(route.method)} ${route.url}`;
  const access = route.config?.access;
  if (access === undefined) throw new Error(`Route ${name} does not say who may call it`);
  for (const rpc of route.config?.rpcs ?? []) {
    if (!admits(accessOf(rpc), weakestPrincipal(access))) {
      throw new Error(`Route ${name} admits ${JSON.stringify(access)}, which ${rpcName(rpc)} refuses`);
    }
  }
  checkCondition(route, name);
}

/** The route of @fastify/cors, whose hook answers before anything is reached; where there are no origins, it is none. */
const isPreflight = ({ method, url }: RouteOptions): boolean => method === "OPTIONS" && url.endsWith("*");

/** If-Match is compared by an RPC that takes if_rev_in, or the route says why there is nothing to compare. */
function checkCondition({ method, url, config }: RouteOptions, name: string): void {
  const { rpcs = [], unconditional } = config ?? {};
  const compares = rpcs.some(takesIfRev);
  if (compares && unconditional !== undefined) {
    throw new Error(`Route ${name} says that it compares no If-Match, and its RPC does`);
  }
  const changes = [method].flat().some((one) => CHANGES.has(one) || (one === "POST" && url.includes("/:")));
  if (changes && !compares && unconditional === undefined) {
    throw new Error(
      `Route ${name} changes a record, and no RPC of it takes if_rev_in to compare If-Match with`,
    );
  }
}

const CHANGES = new Set(["PATCH", "PUT", "DELETE"]);

const rpcName = (rpc: DescMethod): string => `${rpc.parent.typeName}/${rpc.name}`;

/** The caller with the fewest rights that the route lets in. */
function weakestPrincipal(access: RouteAccess): Principal {
  if ("scope" in access) return { kind: "api_key", workspaceId: "", id: "", scopes: [access.scope] };
  if ("public" in access) return { kind: "anonymous" };
  if ("reader" in access) return { kind: "service", name: "gateway" };
  return {
    kind: "user",
    workspaceId: "",
    id: "",
    sessionId: "",
    deviceUuid: "",
    capabilities: "capability" in access ? [access.capability] : [],
  };
}
