import { createServer, type Socket } from "node:net";
import { z } from "zod";
import type { Log } from "../../log.ts";
import { serve } from "../../served.ts";
import { deliverWhenRoom } from "../connection/deliver-when-room.ts";
import { keepConnected, messageOf } from "../connection/keep-connected.ts";
import { createLines } from "../connection/lines.ts";
import { openSocket } from "../connection/open-socket.ts";
import type { Input, InputState, Sink } from "../input.ts";
import { COLUMNS, type CsvSettings, parse } from "./parser.ts";

/** Lines of CSV over TCP, without TLS and password: use it in the network of the readers only. */
export const schema = z.strictObject({
  type: z.literal("csv"),
  /** Who opens the connection: the agent (`connect`), or the reader (`listen`, at this address of the agent). */
  mode: z.enum(["connect", "listen"]),
  host: z.string().min(1),
  port: z.int().min(0).max(65_535),
  columns: z
    .array(z.enum(COLUMNS))
    .min(1)
    .max(64)
    .refine((columns) => columns.includes("epc"), "One column has to be the epc."),
  separator: z.string().length(1).default(","),
});

type Config = z.infer<typeof schema>;

const MAX_LINE_BYTES = 64 * 1024;
/** Nothing says that a peer without traffic is gone. So TCP asks it, after this time. */
const ASK_MS = 60_000;

export const create = (config: Config, sink: Sink, log: Log): Input =>
  config.mode === "connect" ? connect(config, sink, log) : listen(config, sink, log);

const connect = (config: Config, sink: Sink, log: Log): Input =>
  keepConnected(async ({ signal, connected }) => {
    const socket = await openSocket({ ...config, tls: undefined }, signal);
    connected(`${config.host}:${config.port}`);
    await readLines(socket, config, sink, signal);
  }, log);

/** Takes connections. Lines of several connections are reads of the same reader. */
function listen(config: Config, sink: Sink, log: Log): Input {
  const stopping = new AbortController();
  const sessions = new Set<Promise<void>>();
  let state: InputState = { state: "waiting" };
  const server = createServer((socket) => {
    const detail = `${socket.remoteAddress}`;
    state = { state: "connected", detail };
    const session = readLines(socket, config, sink, stopping.signal)
      .catch((error) => log.warn("The connection of a reader has ended.", { reason: messageOf(error) }))
      .finally(() => {
        sessions.delete(session);
        if (sessions.size === 0) state = { state: "waiting", detail: `last connected: ${detail}` };
      });
    sessions.add(session);
  });
  const listener = serve(server, config);
  return {
    start: async () => {
      await listener.start().catch((error) => {
        state = { state: "failed", detail: messageOf(error) };
        throw error;
      });
      state = { state: "waiting", detail: `port ${listener.port()}` };
    },
    stop: async () => {
      stopping.abort();
      server.close();
      await Promise.all(sessions);
      state = { state: "waiting" };
    },
    state: () => state,
  };
}

/** Reads on only when what was read is durable. A last line without an end counts too, if the peer ended the connection. */
async function readLines(
  socket: Socket,
  config: CsvSettings,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  socket.setKeepAlive(true, ASK_MS);
  // The loop gets errors too. Without a listener, an error after it would end the process.
  socket.on("error", () => undefined);
  const stop = (): void => {
    socket.destroy();
  };
  signal.addEventListener("abort", stop, { once: true });
  const lines = createLines(MAX_LINE_BYTES);
  try {
    for await (const chunk of socket) {
      const complete = lines.push(chunk);
      if (complete !== undefined) await deliverWhenRoom(parse(complete, config), sink, signal);
    }
    const rest = lines.rest();
    if (rest.length > 0) await deliverWhenRoom(parse(rest, config), sink, signal);
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}
