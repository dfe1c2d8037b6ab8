import { SpanKind, SpanStatusCode, withSpan } from "@asset-register/runtime";
import fp from "fastify-plugin";

/**
 * One span a request, over everything that it causes: its RPCs and log lines
 * carry its trace. A trace begins here: what callers say of theirs is not ours to keep.
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
