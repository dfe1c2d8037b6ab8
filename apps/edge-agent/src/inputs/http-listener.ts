import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { z } from "zod";
import type { Address } from "../config/units.ts";
import type { Log } from "../log.ts";
import { serve } from "../served.ts";
import { deliver, type Parser } from "./formats/format.ts";
import { formatSetting, parserOf } from "./formats/formats.ts";
import { authorisation, httpAuth } from "./http-auth.ts";
import { BufferFullError, type Input, type InputState, type Sink } from "./input.ts";
import { readBody } from "./read-body.ts";

/** A reader that posts its reads to /readers/NAME. */
export const schema = z.strictObject({
  type: z.literal("http"),
  format: formatSetting,
  auth: httpAuth,
});

export type HttpConfig = z.output<typeof schema>;

export type HttpListener = {
  /** A place for the reads of a reader. */
  add(reader: string, config: HttpConfig, sink: Sink): Input;
  start(): Promise<void>;
  /** Resolves when the requests under way are answered. */
  stop(): Promise<void>;
  /** The port, after the start. */
  port(): number;
};

export type HttpListenerConfig = {
  address: Address;
  tls?: { cert: string; key: string } | undefined;
};

type Place = {
  config: HttpConfig;
  isAuthorised(header: string | undefined): boolean;
  parse: Parser;
  sink: Sink;
  accepts: boolean;
  lastRequestAt: number | undefined;
};
type Reply = { status: number; text?: string; headers?: Record<string, string> };

const MAX_BODY_BYTES = 1_048_576;
const FULL_SECONDS = 5;
/** Readers name the type of their bodies carelessly. What is surely not text is refused. */
const TEXT_TYPE = /^(application\/([\w.-]+\+)?(json|x-ndjson|x-www-form-urlencoded)|text\/[\w.-]+)\s*(;|$)/i;

/** One HTTP server for all readers that post. A reader gets 204 when its reads are durable. */
export function createHttpListener({ address, tls }: HttpListenerConfig, log: Log): HttpListener {
  const places = new Map<string, Place>();

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const [, name] = /^\/readers\/([^/?]+)(?:\?|$)/.exec(request.url ?? "") ?? [];
    const place = places.get(name ?? "");
    if (place === undefined) return { status: 404, text: "There is no such reader." };
    if (!place.isAuthorised(request.headers.authorization))
      return { status: 401, text: "The reader's token or password is wrong.", headers: CHALLENGE };
    if (request.method !== "POST") return { status: 405, text: "Only POST.", headers: { allow: "POST" } };
    if (!place.accepts) return busy("The agent is stopping.");
    const { "content-type": type = "text/plain", "content-encoding": encoding } = request.headers;
    if (!TEXT_TYPE.test(type) || encoding !== undefined)
      return { status: 415, text: "The body has to be text without a content-encoding." };
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body === undefined) return { status: 413, text: `The body has more than ${MAX_BODY_BYTES} bytes.` };
    return await take(place, body, type);
  };

  const handle = async (request: IncomingMessage): Promise<Reply> => {
    try {
      return await answer(request);
    } catch (error) {
      if (error instanceof BufferFullError) return busy(error.message);
      log.error("A request of a reader failed.", { path: request.url, error: String(error) });
      return { status: 500, text: "The agent has failed. The reads were not stored." };
    }
  };

  const server: Server = tls
    ? createTlsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) })
    : createServer();
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 30_000;
  server.on("request", async (request, response) => {
    const { status, text, headers } = await handle(request);
    // The rest of a body that was not read would be taken for the next request.
    if (!request.complete) response.setHeader("connection", "close");
    response.writeHead(status, { ...headers, ...(text !== undefined && { "content-type": "text/plain" }) });
    response.end(text === undefined ? undefined : `${text}\n`);
  });

  return {
    add(reader, config, sink) {
      const parse = parserOf(config.format);
      const isAuthorised = authorisation(config.auth);
      const place: Place = { config, isAuthorised, parse, sink, accepts: false, lastRequestAt: undefined };
      places.set(reader, place);
      return {
        start: async () => {
          place.accepts = true;
        },
        stop: async () => {
          place.accepts = false;
        },
        state: () => stateOf(place),
      };
    },
    ...serve(server, address, () => server.closeIdleConnections()),
  };
}

const CHALLENGE = { "www-authenticate": 'Basic realm="edge agent"' };

const busy = (text: string): Reply => ({
  status: 503,
  text,
  headers: { "retry-after": String(FULL_SECONDS) },
});

const stateOf = ({ lastRequestAt }: Place): InputState =>
  lastRequestAt === undefined
    ? { state: "waiting" }
    : { state: "connected", detail: `last request ${new Date(lastRequestAt).toISOString()}` };

async function take(place: Place, body: Buffer, type: string): Promise<Reply> {
  const { config, parse, sink } = place;
  // An empty body shows that the reader is alive.
  const parsed = body.length === 0 ? { reads: [], unreadable: [] } : await parse(body, type);
  await deliver(parsed, sink);
  place.lastRequestAt = Date.now();
  // A reader would send a message that is refused again and again, and nothing after it. A program learns what is wrong.
  const isProgram = config.format === "json";
  if (isProgram && parsed.reads.length === 0 && parsed.unreadable.length > 0)
    return { status: 400, text: parsed.unreadable.slice(0, 5).join("\n") };
  return { status: 204 };
}
