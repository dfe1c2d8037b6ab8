import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import Type, { type TProperties } from "typebox";
import { isNamed } from "../http/etag.ts";
import { declared } from "../http/routes.ts";

export type StaticText = {
  type: string;
  /** Makes the text, when it is first asked for. */
  make(): string | Promise<string>;
  headers?: Record<string, string>;
  query?: TProperties;
};

/** Five minutes: what a new release changes is seen soon, and the tag makes asking again cheap. */
const CACHE = "public, max-age=300";

/** Gives a public text at `url`: made, packed and tagged once. */
export function serveText(
  app: FastifyInstance,
  url: string,
  { type, make, headers, query = {} }: StaticText,
) {
  const packed = once(async () => {
    const text = await make();
    // Weak: the same text packed and unpacked differs in its bytes.
    return { text, zipped: await promisify(gzip)(text), etag: `W/"${hash("sha1", text, "base64url")}"` };
  });
  const options = { config: declared({ public: true }), schema: { querystring: Type.Object(query) } };
  app.get(url, options, async (request, reply) => {
    const { text, zipped, etag } = await packed();
    reply.headers({ "cache-control": CACHE, vary: "accept-encoding", etag, ...headers });
    const known = request.headers["if-none-match"];
    if (known !== undefined && isNamed(known, etag.slice("W/".length))) return reply.code(304).send();
    reply.type(type);
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0)/.test(request.headers["accept-encoding"] ?? "");
    return takesGzip ? reply.header("content-encoding", "gzip").send(zipped) : reply.send(text);
  });
}

/** Remembers what was made; what failed is tried again. */
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
