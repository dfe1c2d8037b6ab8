import type { RouteInfo } from "@asset-register/gateway";
import { buildUnstarted } from "@asset-register/gateway/unstarted";
import type { JsonSchema } from "./schema.ts";

export type Route = Pick<RouteInfo, "method" | "url" | "access"> & {
  /** The name in test titles and route-overrides.ts: "POST /v1/zones". */
  name: string;
  surface: "a" | "b" | "none";
  body: JsonSchema | undefined;
  query: JsonSchema;
  /** The statuses that the route documents. */
  statuses: string[];
};

/**
 * Redirects, which have no record, and the steps that need a provider or a name server. Tests of the gateway and of
 * identity follow them.
 */
const ELSEWHERE = new Set([
  "/t/:code",
  ...["start", "callback/:id", "exchange", "logout/:id", "domains/:domain/verify"].map(
    (step) => `/asset_manager_api/sso/${step}`,
  ),
]);

/** All routes of the gateway that the matrix tests. */
export async function gatewayRoutes(): Promise<Route[]> {
  const gateway = await buildUnstarted();
  await gateway.stop();
  return gateway.routes.filter(({ url }) => !ELSEWHERE.has(url)).map(toRoute);
}

function toRoute({ method, url, access, schema }: RouteInfo): Route {
  return {
    ...{ method, url, access },
    name: `${method} ${url}`,
    surface: url.startsWith("/v1/") ? "a" : url.startsWith("/asset_manager_api/") ? "b" : "none",
    body: schema.body as JsonSchema | undefined,
    query: schema.querystring as JsonSchema,
    statuses: Object.keys((schema.response ?? {}) as object),
  };
}
