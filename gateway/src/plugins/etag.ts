import fp from "fastify-plugin";
import { isNamed, tagOf } from "../http/etag.ts";

declare module "fastify" {
  interface FastifyReply {
    /** Of the record that the answer is. */
    rev: number | undefined;
  }
}

/**
 * Gives each answer that is one record its ETag (http.md, Concurrency): the rev
 * that the record shows, for If-Match, and a hash of the answer, for
 * If-None-Match of a read. The hash of a write's answer is that of no read,
 * unless they answer the very same.
 */
export const etag = fp(async (app) => {
  app.decorateReply("rev", undefined);
  app.addHook("preSerialization", (_request, reply, answer, done) => {
    reply.rev = revOf(answer);
    done(null, answer);
  });
  app.addHook("onSend", ({ method, headers }, reply, payload, done) => {
    if (reply.rev === undefined || typeof payload !== "string") return done(null, payload);
    const tag = tagOf(reply.rev, payload);
    reply.header("etag", tag);
    const known = headers["if-none-match"];
    const isRead = (method === "GET" || method === "HEAD") && reply.statusCode === 200;
    if (!isRead || known === undefined || !isNamed(known, tag)) return done(null, payload);
    reply.code(304).removeHeader("content-type");
    // Fastify takes the body off the answer to HEAD by itself, and has to find one.
    done(null, method === "HEAD" ? payload : null);
  });
});

/** The rev of the record that an answer is, or has in the envelope of surface A. */
function revOf(answer: unknown): number | undefined {
  return revIn(answer) ?? (isObject(answer) ? revIn(answer.data) : undefined);
}

const revIn = (record: unknown): number | undefined =>
  isObject(record) && typeof record.rev === "number" ? record.rev : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
