import cors from "@fastify/cors";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

/** Response headers that an app may read, besides those that browsers always expose. */
const EXPOSED = [
  "accept-patch",
  "deprecation",
  "etag",
  "idempotency-replayed",
  "link",
  "location",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "sunset",
  "x-request-id",
];
const ALLOWED = [
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "last-event-id",
  "x-request-id",
];
/** Two hours: browsers cache a preflight no longer. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Allows web apps of the given origins. Preflights are answered before authentication. Credentials mode is never
 * allowed: tokens are sent in the Authorization header, so a page can use only a token that its own code has.
 */
export const crossOrigin = fp<{ origins: string[] | undefined }>(async (app, { origins }) => {
  if (origins === undefined) return;
  await app.register(cors, {
    // A list, also for one origin: the plugin sends an origin given as a string to everybody, without Vary.
    origin: origins[0] === "*" ? "*" : origins,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: ALLOWED,
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  });
});

/** Sets the CORS headers on a response that no plugin sees: that to a malformed path. */
export function setCorsHeaders(
  { headers: { origin = "" } }: FastifyRequest,
  reply: FastifyReply,
  origins: string[] = [],
): void {
  if (origins.length === 0) return;
  reply.header("access-control-expose-headers", EXPOSED.join(", "));
  if (origins[0] === "*") return void reply.header("access-control-allow-origin", "*");
  reply.header("vary", "Origin");
  if (origins.includes(origin)) reply.header("access-control-allow-origin", origin);
}
