import { Agent, request } from "undici";
import { z } from "zod";
import type { Log } from "../../log.ts";
import { deliverWhenRoom } from "../connection/deliver-when-room.ts";
import { type Connection, keepConnected } from "../connection/keep-connected.ts";
import { createLines } from "../connection/lines.ts";
import { type Peer, peerOfUrl, tlsOptions, tlsSettings } from "../connection/open-socket.ts";
import type { Input, Sink } from "../input.ts";
import { parse } from "./parser.ts";

/** The agent opens the HTTP stream of an Impinj R700 or later (IoT device interface). */
export const schema = z.strictObject({
  type: z.literal("impinj_stream"),
  /** Of the reader, without a path: `https://192.168.1.20`. */
  url: z.url({ protocol: /^https?$/ }),
  user: z.string().default("root"),
  password: z.string(),
  tls: tlsSettings.default({ verify: true }),
});

const PATH = "/api/v1/data/stream";
/** The reader sends an empty line when it had no event for 30 s. */
const SILENT_MS = 90_000;
const CONNECT_MS = 10_000;
const MAX_LINE_BYTES = 1024 * 1024;

export const peerOf = ({ url, tls }: z.infer<typeof schema>): Peer =>
  peerOfUrl(url, tls, { plain: 80, secure: 443 });

export function create(config: z.infer<typeof schema>, sink: Sink, log: Log): Input {
  const agent = new Agent({
    connect: { timeout: CONNECT_MS, ...tlsOptions(config.tls) },
    headersTimeout: CONNECT_MS,
    bodyTimeout: SILENT_MS,
  });
  const input = keepConnected((connection) => readStream(config, agent, sink, connection), log);
  return {
    ...input,
    stop: async () => {
      await input.stop();
      await agent.destroy();
    },
  };
}

async function readStream(
  { url, user, password }: z.infer<typeof schema>,
  dispatcher: Agent,
  sink: Sink,
  { signal, connected }: Connection,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const { statusCode, body } = await request(new URL(PATH, url), {
    dispatcher,
    signal,
    headers: { authorization },
  });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`The reader answered ${statusCode}.`);
  }
  connected(url);
  const lines = createLines(MAX_LINE_BYTES);
  for await (const chunk of body) {
    const complete = lines.push(chunk);
    if (complete !== undefined) await deliverWhenRoom(parse(complete), sink, signal);
  }
  throw new Error("The reader ended the stream.");
}
