import type { Socket } from "node:net";
import { deliverWhenRoom } from "../connection/deliver-when-room.ts";
import type { Connection } from "../connection/keep-connected.ts";
import type { Parsed } from "../formats/format.ts";
import type { Sink } from "../input.ts";
import { parseCapabilities } from "./capabilities.ts";
import { encodeMessage, type Message } from "./codec.ts";
import { parseReaderEvent } from "./events.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import { createFrames } from "./frames.ts";
import { MESSAGE } from "./protocol.ts";
import { parseReport } from "./reports.ts";
import * as request from "./requests.ts";

export type SessionSettings = { antennas: number[]; report_tags: number; keepalive_seconds: number };

/** The reader has to say that it accepts the connection. */
const GREETING_MS = 10_000;
/** Keepalives that may be missing before the connection counts as lost. */
const MISSED_KEEPALIVES = 3;

/**
 * Reads from a reader over one connection, until it ends or the input stops.
 * @throws Error that says why it has ended
 */
export async function runSession(
  socket: Socket,
  settings: SessionSettings,
  sink: Sink,
  { signal, connected }: Connection,
): Promise<void> {
  const send = (message: Message): void => {
    socket.write(encodeMessage(message));
  };
  const exchange = createExchange(send);
  const greeting = createGreeting();
  const reading = readMessages(socket, settings, sink, signal, (message) =>
    handle(message, send, exchange, greeting),
  );
  const configuring = greeting.accepted.then(() => configure(exchange, send, settings)).then(connected);
  const stop = (): void => {
    exchange.ask(request.closeConnection).then(
      () => socket.end(),
      () => socket.destroy(),
    );
  };
  signal.addEventListener("abort", stop, { once: true });
  configuring.catch((error) => socket.destroy(error));
  try {
    await reading;
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    greeting.refuse(reason);
    exchange.end(reason);
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

type Greeting = { accepted: Promise<void>; accept(): void; refuse(error: Error): void };

function createGreeting(): Greeting {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error("The reader did not accept the connection in time.")),
    GREETING_MS,
  );
  const accepted = promise.finally(() => clearTimeout(timer));
  return { accepted, accept: resolve, refuse: reject };
}

/** Answers a message, and returns the reads in it. */
function handle(
  message: Message,
  send: (message: Message) => void,
  exchange: Exchange,
  greeting: Greeting,
): Parsed {
  const { type, id, body } = message;
  switch (type) {
    case MESSAGE.roAccessReport:
      return parseReport(body);
    case MESSAGE.keepalive:
      send({ type: MESSAGE.keepaliveAck, id, body: Buffer.alloc(0) });
      return NOTHING;
    case MESSAGE.readerEventNotification: {
      const { refused, problems } = parseReaderEvent(body);
      if (refused === null) greeting.accept();
      else if (refused !== undefined) greeting.refuse(new Error(refused));
      return { reads: [], unreadable: problems };
    }
    default:
      exchange.answer(message);
      return NOTHING;
  }
}

const NOTHING: Parsed = { reads: [], unreadable: [] };

/** Reads on only when what was read is durable. The reads of one chunk are written together. */
async function readMessages(
  socket: Socket,
  settings: SessionSettings,
  sink: Sink,
  signal: AbortSignal,
  handleMessage: (message: Message) => Parsed,
): Promise<never> {
  const frames = createFrames();
  const silentSeconds = MISSED_KEEPALIVES * settings.keepalive_seconds;
  let delivering = false;
  socket.setTimeout(silentSeconds * 1000, () => {
    // While the buffer is full nothing is read, so silence says nothing.
    if (!delivering) socket.destroy(new Error(`The reader was silent for ${silentSeconds} seconds.`));
  });
  for await (const chunk of socket) {
    const parsed = frames.push(chunk).map(handleMessage);
    if (parsed.length === 0) continue;
    const reads = parsed.flatMap((message) => message.reads);
    const unreadable = parsed.flatMap((message) => message.unreadable);
    delivering = true;
    await deliverWhenRoom({ reads, unreadable }, sink, signal);
    delivering = false;
  }
  throw new Error("The reader closed the connection.");
}

/** Configures the reader and starts its inventory. Returns what the reader says it is. */
async function configure(
  exchange: Exchange,
  send: (message: Message) => void,
  settings: SessionSettings,
): Promise<string> {
  const { antennas, report_tags, keepalive_seconds } = settings;
  const capabilities = parseCapabilities(await exchange.ask(request.capabilities));
  await exchange.ask(request.setConfig(keepalive_seconds * 1000, capabilities));
  // The reader now sends what it held since the last connection. This message has no answer.
  if (capabilities.holdsReports) {
    send({ type: MESSAGE.enableEventsAndReports, id: 0, body: Buffer.alloc(0) });
  }
  await exchange.ask(request.deleteRoSpecs);
  await exchange.ask(request.addRoSpec(antennas, report_tags));
  await exchange.ask(request.enableRoSpec);
  await exchange.ask(request.startRoSpec);
  return capabilities.about;
}
