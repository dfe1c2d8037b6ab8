import type { RouteOptions } from "fastify";
import fp from "fastify-plugin";
import { MAX_PUBLIC_BODY_BYTES } from "../http/limits.ts";
import { validatorCompiler } from "../http/validator.ts";

/** Limits the cost of requests that need no credential: small bodies, and only the first of their errors. */
export const publicRoutes = fp(async (app) => {
  const firstError = validatorCompiler({ allErrors: false });
  app.addHook("onRoute", (route) => {
    if (!isPublic(route)) return;
    route.bodyLimit ??= MAX_PUBLIC_BODY_BYTES;
    route.validatorCompiler ??= firstError;
  });
});

const isPublic = ({ config }: RouteOptions): boolean =>
  config?.access !== undefined && "public" in config.access;
