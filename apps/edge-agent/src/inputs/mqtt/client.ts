import { createHash } from "node:crypto";
import os from "node:os";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { generate } from "mqtt-packet";
import { z } from "zod";
import type { Log } from "../../log.ts";
import { deliverWhenRoom } from "../connection/deliver-when-room.ts";
import { messageOf } from "../connection/keep-connected.ts";
import { type Peer, peerOfUrl, tlsOptions, tlsSettings } from "../connection/open-socket.ts";
import { deliver } from "../formats/format.ts";
import { formatSetting, parserOf } from "../formats/formats.ts";
import type { Input, InputState, Sink } from "../input.ts";
import { createInFlight, type InFlight } from "./in-flight.ts";
import { isOf, onlyIf, parsePayload, topicFilter } from "./payload.ts";

/** The agent connects to a broker and subscribes to the topic of one reader. */
export const schema = z.strictObject({
  type: z.literal("mqtt"),
  /** `mqtt://host:1883` or `mqtts://host:8883`. */
  url: z.url({ protocol: /^mqtts?$/ }),
  user: z.string().optional(),
  password: z.string().optional(),
  tls: tlsSettings.default({ verify: true }),
  topic: topicFilter,
  only_if: onlyIf.optional(),
  format: formatSetting,
  /** The broker keeps messages for this name while the agent is not connected. It has to be the agent's and this reader's own. */
  client_id: z.string().min(1).max(64).optional(),
});

type Config = z.infer<typeof schema>;
/** Resolves when a message may be acknowledged. */
type Take = (payload: Buffer, qos: number) => Promise<void>;

const RECONNECT_MS = 1_000;
const CONNECT_MS = 10_000;

/**
 * What is written at once. One message after the other, there would be as many in a second as the disk has synchronous
 * writes: 256 at a load of 10, against 3,500 at a load of 8.
 */
const MAX_IN_FLIGHT = { messages: 500, bytes: 4 * 1024 * 1024 };
/** For mqtt.js an error of handleMessage says that it must not send PUBACK itself. */
const PUBACK_FOLLOWS = new Error("PUBACK follows the write.");

export const peerOf = ({ url, tls }: Config): Peer => peerOfUrl(url, tls, { plain: 1883, secure: 8883 });

export function create(config: Config, sink: Sink, log: Log): Input {
  const stopping = new AbortController();
  const inFlight = createInFlight(MAX_IN_FLIGHT);
  const take = createTake(config, sink, stopping.signal);
  let state: InputState = { state: "waiting" };
  let client: MqttClient | undefined;

  /** Each attempt to connect may fail for the same reason. */
  const fail = (reason: string): void => {
    if (state.state === "failed" && state.detail === reason) return;
    state = { state: "failed", detail: reason };
    log.warn("The reader is not connected.", { reason });
  };

  const subscribe = (to: MqttClient): void => {
    to.subscribe(config.topic, { qos: 1 }, (error, granted) => {
      const isRefused = granted?.some(({ qos }) => qos > 2) ?? false;
      if (error || isRefused) fail(`The broker refuses the topic ${config.topic}.`);
      else state = { state: "connected", detail: `${config.url}, ${config.topic}` };
    });
  };

  return {
    start: async () => {
      state = { state: "connecting" };
      const connection = mqtt.connect(optionsOf(config));
      client = connection;
      connection.on("connect", () => subscribe(connection));
      connection.on("error", (error) => fail(error.message || error.name));
      connection.on("close", () => {
        if (state.state !== "failed") fail("The connection was closed.");
      });
      acknowledgeWritten(connection, take, inFlight, (error) => {
        if (!stopping.signal.aborted) fail(messageOf(error));
      });
    },
    stop: async () => {
      stopping.abort();
      await inFlight.settled();
      await client?.endAsync(true);
      state = { state: "waiting" };
    },
    state: () => state,
  };
}

const optionsOf = (config: Config): IClientOptions => ({
  ...addressOf(config.url),
  ...tlsOptions(config.tls),
  username: config.user,
  password: config.password,
  clientId: config.client_id ?? clientIdOf(config),
  // The broker keeps messages of QoS 1 while the agent is not connected.
  clean: false,
  reconnectPeriod: RECONNECT_MS,
  reconnectOnConnackError: true,
  connectTimeout: CONNECT_MS,
  resubscribe: false,
});

/** mqtt.js would parse a URL by a deprecated function, which prints a warning. */
function addressOf(url: string): Pick<IClientOptions, "protocol" | "host" | "port"> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "mqtts:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return { protocol: isTls ? "mqtts" : "mqtt", host, port: Number(port) || (isTls ? 8883 : 1883) };
}

function createTake({ format, only_if }: Config, sink: Sink, signal: AbortSignal): Take {
  const parse = parserOf(format);
  return async (payload, qos) => {
    if (!isOf(payload, only_if)) return;
    const parsed = await parsePayload(payload, parse);
    if (qos > 0) return deliverWhenRoom(parsed, sink, signal);
    // The broker does not repeat a message of QoS 0.
    await deliver(parsed, sink).catch((error) => {
      sink.unreadable(`${parsed.reads.length} reads of a message of QoS 0 are lost: ${messageOf(error)}`);
    });
  };
}

/** Sends PUBACK when a message is written. A connection on which a write has failed is ended: the broker repeats then. */
function acknowledgeWritten(
  connection: MqttClient,
  take: Take,
  inFlight: InFlight,
  onFailure: (error: unknown) => void,
): void {
  connection.handleMessage = ({ payload, qos, messageId }, callback) => {
    const { stream } = connection;
    const bytes = Buffer.from(payload);
    inFlight.add({
      bytes: bytes.length,
      written: take(bytes, qos),
      acknowledge: () => {
        if (qos > 0 && !stream.destroyed) stream.write(generate({ cmd: "puback", messageId }));
      },
      fail: (error) => {
        onFailure(error);
        stream.destroy();
      },
      proceed: () => callback(PUBACK_FOLLOWS),
    });
  };
}

/** The same after a restart, and another one for each reader and each machine. */
function clientIdOf({ url, topic, only_if }: Config): string {
  const hash = createHash("sha256").update(JSON.stringify([os.hostname(), url, topic, only_if]));
  return `agent-${hash.digest("hex").slice(0, 16)}`;
}
