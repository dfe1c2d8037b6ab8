import type { Logger, Metrics } from "@asset-register/runtime";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyRequest {
    /** When it became a stream or a wait (`performance.now()`), whose time is not that of an answer. */
    heldSince: number | undefined;
    /** How long it was one. Undefined until it ends. */
    heldMs: number | undefined;
  }
}

/** Measures and logs each request. Labels are routes, never paths: those would be unlimited in number. */
export const observe = fp<{ metrics: Metrics; logger: Logger }>(async (app, { metrics, logger }) => {
  const duration = metrics.histogram({
    name: "http_server_request_duration_seconds",
    help: "Duration of HTTP requests",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
  });
  app.decorateRequest("heldSince", undefined);
  app.decorateRequest("heldMs", undefined);
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const ms = reply.elapsedTime - heldMs(request);
    const route = request.routeOptions.url ?? "unmatched";
    duration.observe(
      {
        http_request_method: request.method,
        http_route: route,
        http_response_status_code: reply.statusCode,
      },
      ms / 1000,
    );
    if (!logger.isLevelEnabled("debug")) return;
    request.log.debug(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms,
        workspace_id: request.caller?.principal.workspaceId,
      },
      "request",
    );
  });
});

function heldMs({ heldSince, heldMs }: FastifyRequest): number {
  return heldSince === undefined ? 0 : (heldMs ?? performance.now() - heldSince);
}
