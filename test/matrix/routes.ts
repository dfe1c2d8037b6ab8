import { readdirSync } from "node:fs";
import path from "node:path";
import { buildApp, configSchema, type RouteInfo } from "@asset-register/gateway";
import { testKeys } from "@asset-register/harness";
import { loadConfig } from "@asset-register/runtime";
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

const UNUSED_ADDRESS = "127.0.0.1:1";
const SERVICES = path.join(import.meta.dirname, "../../services");

/** All routes of the gateway. The gateway is built for this and never started. */
export async function gatewayRoutes(): Promise<Route[]> {
  const { privateKeyPem, trustedKeys } = testKeys("gateway");
  const addresses = readdirSync(SERVICES).map((name) => [
    `${name.replaceAll("-", "_").toUpperCase()}_ADDRESS`,
    UNUSED_ADDRESS,
  ]);
  const gateway = await buildApp(
    loadConfig(configSchema, {
      ...Object.fromEntries(addresses),
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      REDIS_URL: `redis://${UNUSED_ADDRESS}`,
      SERVICE_PRIVATE_KEY: privateKeyPem.gateway,
      TRUSTED_KEYS: JSON.stringify(trustedKeys),
    }),
  );
  await gateway.stop();
  return gateway.routes.map(toRoute);
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
