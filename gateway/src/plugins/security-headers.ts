import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

/** Nothing here is a page, nothing may be kept or framed. */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
} as const;

/** On every answer (http.md), those that no route gives too. */
export const securityHeaders = fp(async (app) => {
  app.addHook("onRequest", (request, reply, done) => {
    secure(request, reply);
    done();
  });
});

/** Puts the headers on one answer. */
export function secure(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).headers(SECURITY_HEADERS);
  if (request.protocol === "https") {
    reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
  }
}
