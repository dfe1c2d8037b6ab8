import { accessOf, admits, type Principal } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { RouteOptions } from "fastify";
import type { RouteAccess } from "./routes.ts";

/**
 * Refuses a route that declares nothing, or that would let in a caller whom its
 * RPC turns away: the two can't drift apart.
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
}

/** The route of @fastify/cors, whose hook answers before anything is reached; where there are no origins, it is none. */
const isPreflight = ({ method, url }: RouteOptions): boolean => method === "OPTIONS" && url.endsWith("*");

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
