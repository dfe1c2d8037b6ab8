import type { DescMethod } from "@bufbuild/protobuf";
import type { FastifySchema } from "fastify";
import fp from "fastify-plugin";
import type { Deprecation, RouteAccess } from "../http/routes.ts";

/** A route as it was declared, with the schemas that the server adds. */
export type RouteInfo = {
  method: string;
  /** Includes the prefix of the surface. Parameters are written `:id`. */
  url: string;
  access: RouteAccess;
  rpcs: readonly DescMethod[];
  schema: FastifySchema;
  /** Undefined for a route that is not deprecated. */
  deprecated: Deprecation | undefined;
};

declare module "fastify" {
  interface FastifyInstance {
    /** Every route, except HEAD, which each GET has. */
    routeTable: readonly RouteInfo[];
  }
}

/** Records every route. Tests and documents are generated from the table, so that they include each new route. */
export const routeTable = fp(async (app) => {
  const routes: RouteInfo[] = [];
  app.decorate("routeTable", routes);
  app.addHook("onRoute", ({ method, url, config, schema = {} }) => {
    if (config?.access === undefined) return;
    for (const each of [method].flat()) {
      if (each === "HEAD") continue;
      const { access, rpcs = [], deprecated } = config;
      routes.push({ method: each, url, access, rpcs, schema, deprecated });
    }
  });
});
