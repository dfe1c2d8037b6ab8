import fp from "fastify-plugin";
import { etagOf, matchesEtag } from "../http/etag.ts";

declare module "fastify" {
  interface FastifyReply {
    /** The rev of the record that the response is. */
    rev: number | undefined;
  }
}

/**
 * Sets the ETag of each response that is one record (http.md, Conditional requests), and answers 304 to a read whose
 * If-None-Match has it. The tag is the rev of the record, for If-Match, and a hash of the response, for
 * If-None-Match. The hash in the response of a write matches a read only when both responses are identical.
 */
export const etag = fp(async (app) => {
  app.decorateReply("rev", undefined);
  app.addHook("preSerialization", (_request, reply, response, done) => {
    reply.rev = revOf(response);
    done(null, response);
  });
  app.addHook("onSend", ({ method, headers }, reply, payload, done) => {
    if (reply.rev === undefined || typeof payload !== "string") return done(null, payload);
    const tag = etagOf(reply.rev, payload);
    reply.header("etag", tag);
    const known = headers["if-none-match"];
    const isRead = (method === "GET" || method === "HEAD") && reply.statusCode === 200;
    if (!isRead || known === undefined || !matchesEtag(known, tag)) return done(null, payload);
    reply.code(304).removeHeader("content-type");
    // Fastify removes the body of a HEAD response itself, and needs one to be there.
    done(null, method === "HEAD" ? payload : null);
  });
});

/** The rev of the record that a response is, or that the envelope of surface A contains. */
function revOf(response: unknown): number | undefined {
  return revIn(response) ?? (isObject(response) ? revIn(response.data) : undefined);
}

const revIn = (record: unknown): number | undefined =>
  isObject(record) && typeof record.rev === "number" ? record.rev : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
