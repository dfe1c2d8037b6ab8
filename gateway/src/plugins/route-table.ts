import type { DescMethod } from "@bufbuild/protobuf";
import type { FastifySchema } from "fastify";
import fp from "fastify-plugin";
import type { Deprecation, RouteAccess } from "../http/routes.ts";

/** One route as it was declared, with what the server adds to every route. */
export type RouteInfo = {
  method: string;
  /** With the prefix of its surface, parameters as `:id`. */
  url: string;
  access: RouteAccess;
  rpcs: readonly DescMethod[];
  schema: FastifySchema;
  /** When it goes away, of one that does. */
  deprecated: Deprecation | undefined;
};

declare module "fastify" {
  interface FastifyInstance {
    /** Every route there is, those of HEAD aside, which are those of GET. */
    routeTable: readonly RouteInfo[];
  }
}

/** What tests and documents are generated from: a new route is in them by existing. */
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
