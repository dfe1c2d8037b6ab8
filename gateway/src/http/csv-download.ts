import { Readable } from "node:stream";
import type { CallOptions } from "@asset-register/rpc";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { asAppError } from "../errors.ts";
import { forward } from "./context.ts";
import { whenClosed } from "./when-closed.ts";

/** As long as a service serves a stream. */
const DEADLINE_MS = 900_000;

/** The response schema of a route that answers with a CSV file. */
export const csvFile = (example: string) => ({
  content: { "text/csv": { schema: Type.Unsafe<Readable>({ type: "string", examples: [example] }) } },
});

/** A stream of an RPC whose messages are parts of a file. */
type Parts = (options: CallOptions) => AsyncIterable<{ content: Uint8Array }>;

/**
 * Answers with a CSV file from an RPC's stream, as fast as the client reads. If the stream fails before its first part,
 * the answer is that error. If it fails later, the connection is reset: a file without its end must not look complete.
 * The log then has the cause. A client that disconnects ends the RPC.
 */
export async function csvDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { filename, open }: { filename: string; open: Parts },
): Promise<Readable> {
  reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${filename}"`);
  if (request.method === "HEAD") return Readable.from([]);
  const client = new AbortController();
  whenClosed(reply, () => client.abort(new Error("the client disconnected")));
  const parts = open({ ...forward(request, reply), deadlineMs: DEADLINE_MS, signal: client.signal });
  const iterator = parts[Symbol.asyncIterator]();
  const first = await startOf(iterator, reply);
  return Readable.from(contents(first, iterator, { request, left: client.signal }), { objectMode: false });
}

type Part = IteratorResult<{ content: Uint8Array }>;

/** The headers of the file must not be those of an error. */
async function startOf(iterator: AsyncIterator<{ content: Uint8Array }>, reply: FastifyReply): Promise<Part> {
  try {
    return await iterator.next();
  } catch (error) {
    reply.removeHeader("content-disposition");
    throw error;
  }
}

async function* contents(
  first: Part,
  iterator: AsyncIterator<{ content: Uint8Array }>,
  { request, left }: { request: FastifyRequest; left: AbortSignal },
): AsyncGenerator<Uint8Array> {
  try {
    for (let part = first; part.done !== true; part = await iterator.next()) yield part.value.content;
  } catch (error) {
    if (!left.aborted) {
      const { code, detail } = asAppError(error);
      request.log.error({ err: error, code, detail }, "download broken off");
    }
    // To a client of HTTP/1.0, a connection that is closed in order is the end of the file.
    request.raw.socket.resetAndDestroy();
    throw error;
  } finally {
    await iterator.return?.();
  }
}
