import { SpanKind, SpanStatusCode, withSpan } from "@asset-register/runtime";
import fp from "fastify-plugin";

/**
 * Starts a trace for each request. Its span covers everything that the request causes: RPCs and log lines carry its
 * trace id. Trace headers of callers are ignored.
 */
export const trace = fp(async (app) => {
  app.addHook("onRequest", (request, reply, done) => {
    const { method, routeOptions } = request;
    const attributes = { "http.request.method": method, "http.route": routeOptions.url ?? "unmatched" };
    const name = `${method} ${attributes["http.route"]}`;
    void withSpan(name, SpanKind.SERVER, attributes, async (span) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      reply.raw.once("close", resolve);
      done();
      await promise;
      span.setAttribute("http.response.status_code", reply.statusCode);
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    });
  });
});
