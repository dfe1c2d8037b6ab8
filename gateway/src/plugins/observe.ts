import type { Logger, Metrics } from "@asset-register/runtime";
import fp from "fastify-plugin";

/** Measures and logs each request. Labels are routes, never paths: those would be unlimited in number. */
export const observe = fp<{ metrics: Metrics; logger: Logger }>(async (app, { metrics, logger }) => {
  const duration = metrics.histogram({
    name: "http_server_request_duration_seconds",
    help: "Duration of HTTP requests",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
  });
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const route = request.routeOptions.url ?? "unmatched";
    duration.observe(
      {
        http_request_method: request.method,
        http_route: route,
        http_response_status_code: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    );
    if (!logger.isLevelEnabled("debug")) return;
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
