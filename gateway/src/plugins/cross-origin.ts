import cors from "@fastify/cors";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

/** What an app may read of an answer, beside what browsers show it anyway. */
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
  "x-request-id",
];
/** Two hours, the most that browsers keep it. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * Lets web apps of the given origins in: their preflights are answered before
 * anything asks who calls. No credentials mode, ever: a token travels in the
 * Authorization header, so a page has nothing that its origin did not give it.
 */
export const crossOrigin = fp<{ origins: string[] | undefined }>(async (app, { origins }) => {
  if (origins === undefined) return;
  await app.register(cors, {
    // A list of one would be named to everybody, without Vary: as a list it is named to whom it concerns.
    origin: origins[0] === "*" ? "*" : origins,
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: ALLOWED,
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
    strictPreflight: false,
  });
});

/** The same on an answer that is given before any plugin is asked: to a path that can't be read. */
export function allowOrigin(
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
