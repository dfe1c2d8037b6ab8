import { hash } from "node:crypto";
import type { FastifyReply } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyReply {
    /** Gives the answer an ETag `"<rev>.<hash of all of it>"`. */
    rev(rev: bigint): void;
    revision: bigint | undefined;
  }
}

/** Conditional reads: If-None-Match compares the whole ETag and answers 304 (http.md, Concurrency). */
export const etag = fp(async (app) => {
  app.decorateReply("revision", undefined);
  app.decorateReply("rev", function (this: FastifyReply, rev: bigint) {
    this.revision = rev;
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.revision === undefined || reply.statusCode !== 200 || typeof payload !== "string") {
      return done(null, payload);
    }
    const tag = `"${reply.revision}.${hash("sha1", payload, "base64url").slice(0, 16)}"`;
    reply.header("etag", tag);
    const wanted = request.headers["if-none-match"];
    if (wanted === undefined || !matches(wanted, tag)) return done(null, payload);
    reply.code(304).removeHeader("content-type");
    done(null, null);
  });
});

/** Whether an If-None-Match names this ETag, weak or not. */
export const matches = (header: string, tag: string): boolean =>
  header === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
