import { accessOf, admits, type Principal, takesIfRev } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import type { RouteOptions } from "fastify";
import type { RouteAccess } from "./routes.ts";

/**
 * Keeps the declarations of a route and of its RPCs consistent. At boot it refuses a route that
 *
 * - does not declare who may call it,
 * - admits a caller whom one of its RPCs refuses,
 * - changes a record without comparing If-Match.
 *
 * @throws Error that names the route
 */
export function checkRoute(route: RouteOptions): void {
  if (isPreflight(route)) return;
  const name = `${String(route.method)} ${route.url}`;
  const access = route.config?.access;
  if (access === undefined) throw new Error(`Route ${name} does not declare who may call it`);
  const calls = (route.config?.rpcs ?? []).map((rpc) => ({ rpc, principal: weakestPrincipal(access) }));
  const more = (route.config?.withMore ?? []).map(({ rpc, capability }) => ({
    ...{ rpc, principal: weakestPrincipal({ capability }) },
  }));
  for (const { rpc, principal } of [...calls, ...more]) {
    if (!admits(accessOf(rpc), principal)) {
      throw new Error(
        `Route ${name} admits ${JSON.stringify(access)}, but ${rpcName(rpc)} refuses that caller`,
      );
    }
  }
  checkCondition(route, name);
}

/** The OPTIONS route of @fastify/cors. Its hook answers preflights before any handler runs. */
const isPreflight = ({ method, url }: RouteOptions): boolean => method === "OPTIONS" && url.endsWith("*");

/** A route that changes a record has an RPC with `if_rev_in`, or declares in `unconditional` why it needs none. */
function checkCondition({ method, url, config }: RouteOptions, name: string): void {
  const { rpcs = [], unconditional } = config ?? {};
  const compares = rpcs.some(takesIfRev);
  if (compares && unconditional !== undefined) {
    throw new Error(`Route ${name} is declared unconditional, but its RPC compares If-Match`);
  }
  const changes = [method].flat().some((one) => CHANGES.has(one) || (one === "POST" && url.includes("/:")));
  if (changes && !compares && unconditional === undefined) {
    throw new Error(
      `Route ${name} changes a record, but none of its RPCs takes if_rev_in to compare If-Match`,
    );
  }
}

const CHANGES = new Set(["PATCH", "PUT", "DELETE"]);

const rpcName = (rpc: DescMethod): string => `${rpc.parent.typeName}/${rpc.name}`;

/** The caller with the fewest rights among those whom the route admits. Its ids make no difference. */
function weakestPrincipal(access: RouteAccess): Principal {
  const id = "";
  if ("scope" in access) return { kind: "api_key", workspaceId: id, id, scopes: [access.scope] };
  if ("public" in access) return { kind: "anonymous" };
  if ("reader" in access) return { kind: "service", name: "gateway" };
  const capabilities = "capability" in access ? [access.capability] : [];
  return { kind: "user", workspaceId: id, id, sessionId: id, deviceUuid: id, capabilities };
}
