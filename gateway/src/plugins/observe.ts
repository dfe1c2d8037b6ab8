import type { Metrics } from "@asset-register/runtime";
import fp from "fastify-plugin";

/** One log line and one measurement a request; labels are routes, never raw paths. */
export const observe = fp<{ metrics: Metrics }>(async (app, { metrics }) => {
  const duration = metrics.histogram({
    name: "http_server_request_duration_seconds",
    help: "Duration of HTTP requests",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unmatched";
    duration.observe(
      {
        http_request_method: request.method,
        http_route: route,
        http_response_status_code: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    );
    request.log.debug(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: reply.elapsedTime,
        workspace_id: request.caller?.principal.workspaceId,
      },
      "request",
    );
  });
});
