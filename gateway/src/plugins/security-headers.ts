import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

/** For JSON responses, which are not pages and must not be cached or framed. The pages in docs/ override some. */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
} as const;

/** Sets the headers on every response (http.md), also on those of no route. */
export const securityHeaders = fp(async (app) => {
  app.addHook("onRequest", (request, reply, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
});

/** Sets the security headers and X-Request-Id on one response. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).headers(SECURITY_HEADERS);
  if (request.protocol === "https") {
    reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
  }
}
