import { AppError } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { RouteInfo } from "./route-table.ts";

/**
 * Answers requests to no route before their body is read: 405 with Allow if the path has routes of other methods, else
 * 404. Register it after the hooks that run for them too, such as the shedding of load.
 */
export const unknownAddresses = fp(async (app) => {
  const refuse = (request: FastifyRequest, reply: FastifyReply): AppError => {
    const [path = ""] = request.url.split("?", 1);
    const methods = methodsAt(app.routeTable, path);
    if (methods.length === 0) return notFoundAddress();
    reply.header("allow", methods.join(", "));
    return methodNotAllowed(request.method, methods);
  };
  // Fastify runs the hooks of this scope for its unknown addresses only if it has a handler of its own.
  app.setNotFoundHandler((request, reply) => {
    throw refuse(request, reply);
  });
  app.addHook("onRequest", (request, reply, done) => {
    done(request.is404 ? refuse(request, reply) : undefined);
  });
});

/** The methods of the routes at a path, in order. Each GET has HEAD. */
export function methodsAt(routes: readonly Pick<RouteInfo, "method" | "url">[], path: string): string[] {
  const parts = path.split("/");
  const found = routes.filter(({ url }) => {
    const pattern = url.split("/");
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => (part.startsWith(":") ? parts[index] !== "" : part === parts[index]))
    );
  });
  const methods = new Set(found.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  return [...methods].sort();
}

/** The error for an address that no route has. */
export const notFoundAddress = (): AppError =>
  new AppError({ kind: "not_found", code: "NOT_FOUND", message: "No route has this address." });

const methodNotAllowed = (method: string, methods: readonly string[]): AppError =>
  new AppError({
    kind: "invalid",
    code: "METHOD_NOT_ALLOWED",
    message: `This address does not take ${method}. Send ${methods.join(" or ")}.`,
  });
