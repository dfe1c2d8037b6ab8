import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import Type, { type TProperties } from "typebox";
import { matchesEtag } from "../http/etag.ts";
import { declared } from "../http/routes.ts";

export type StaticText = {
  type: string;
  /** Makes the text, at the first request. */
  make(): string | Promise<string>;
  headers?: Record<string, string>;
  query?: TProperties;
};

/** Five minutes: changes of a new release become visible soon, and the ETag makes a repeated request cheap. */
const CACHE = "public, max-age=300";

/** Serves a public text at `url`. The text, its compressed form and its ETag are made once. */
export function serveText(
  app: FastifyInstance,
  url: string,
  { type, make, headers, query = {} }: StaticText,
) {
  const prepared = once(async () => {
    const text = await make();
    // Weak, because the compressed and the plain response differ in their bytes.
    return { text, zipped: await promisify(gzip)(text), etag: `W/"${hash("sha1", text, "base64url")}"` };
  });
  const options = { config: declared({ public: true }), schema: { querystring: Type.Object(query) } };
  app.get(url, options, async (request, reply) => {
    const { text, zipped, etag } = await prepared();
    reply.headers({ "cache-control": CACHE, vary: "accept-encoding", etag, ...headers });
    const known = request.headers["if-none-match"];
    if (known !== undefined && matchesEtag(known, etag.slice("W/".length))) return reply.code(304).send();
    reply.type(type);
    const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0)/.test(request.headers["accept-encoding"] ?? "");
    return acceptsGzip ? reply.header("content-encoding", "gzip").send(zipped) : reply.send(text);
  });
}

/** Calls `make` once and keeps its result. After a failure the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
