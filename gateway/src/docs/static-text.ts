import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import Type, { type TProperties } from "typebox";
import { acceptedEncoding } from "../http/accepted-encoding.ts";
import { matchesEtag } from "../http/etag.ts";
import { declared } from "../http/routes.ts";
import { release } from "../plugins/load-shedding.ts";

export type StaticText = {
  type: string;
  /** Makes the text or its bytes, at the first request. */
  make(): string | Uint8Array | Promise<string>;
  headers?: Record<string, string>;
  query?: TProperties;
};

/** Five minutes: changes of a new release become visible soon, and the ETag makes a repeated request cheap. */
const CACHE = "public, max-age=300";

/**
 * Brotli at this level is smaller than gzip and takes as long. The highest level would take seconds for the script of
 * the reference page.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * Serves a public text at `url`. The text, its compressed forms and its ETag are made once. All answers share their
 * buffers: a text would be copied for each socket, and 300 clients that do not read would take 1.3 GB.
 */
export function serveText(
  app: FastifyInstance,
  url: string,
  { type, make, headers, query = {} }: StaticText,
) {
  const prepared = once(async () => {
    const text = Buffer.from(await make());
    const [br, zipped] = await Promise.all([promisify(brotliCompress)(text, BROTLI), promisify(gzip)(text)]);
    // Weak, because the compressed and the plain response differ in their bytes.
    return { text, br, gzip: zipped, etag: `W/"${hash("sha1", text, "base64url")}"` };
  });
  const options = { config: declared({ public: true }), schema: { querystring: Type.Object(query) } };
  app.get(url, options, async (request, reply) => {
    const { text, etag, ...compressed } = await prepared();
    // The answer takes no memory of its own: clients that do not read it must not count as requests in flight.
    release(request);
    reply.headers({ "cache-control": CACHE, vary: "accept-encoding", etag, ...headers });
    const known = request.headers["if-none-match"];
    if (known !== undefined && matchesEtag(known, etag.slice("W/".length))) return reply.code(304).send();
    reply.type(type);
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    if (encoding === undefined) return reply.send(text);
    return reply.header("content-encoding", encoding).send(compressed[encoding]);
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
