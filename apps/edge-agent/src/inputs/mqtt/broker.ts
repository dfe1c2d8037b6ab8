import { readFileSync } from "node:fs";
import { createServer as createTcpServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Aedes, type Client, type PublishPacket } from "aedes";
import { z } from "zod";
import type { Address } from "../../config/units.ts";
import type { Log } from "../../log.ts";
import { serve } from "../../served.ts";
import { messageOf } from "../connection/keep-connected.ts";
import { sameSecret } from "../connection/same-secret.ts";
import { deliver, type Parser } from "../formats/format.ts";
import { formatSetting, parserOf } from "../formats/formats.ts";
import type { Input, Sink } from "../input.ts";
import { coversTopic, isOf, onlyIf, parsePayload, topicFilter } from "./payload.ts";

/** A reader that publishes to the agent's own broker. */
export const schema = z.strictObject({
  type: z.literal("mqtt_broker"),
  user: z.string().min(1),
  password: z.string().min(8),
  topic: topicFilter,
  only_if: onlyIf.optional(),
  format: formatSetting,
});

type Config = z.infer<typeof schema>;
type Reader = { config: Config; parse: Parser; sink: Sink; accepts: boolean; clients: Set<Client> };

export type MqttBroker = {
  /** Adds a reader. It takes messages from its start on. */
  add(config: Config, sink: Sink): Input;
  /** Begins to listen. */
  start(): Promise<void>;
  /** Resolves when what was received is durable and all connections have ended. */
  stop(): Promise<void>;
  /** The port, after the start. */
  port(): number;
};

export type MqttBrokerConfig = {
  address: Address;
  tls?: { cert: string; key: string } | undefined;
};

/** CONNECT with a user, a password and a will has less. MQTT itself allows 256 MiB. */
const MAX_BYTES_BEFORE_PASSWORD = 64 * 1024;

/** A broker that takes reads only: nobody can subscribe, and nothing is retained. */
export function createMqttBroker({ address, tls }: MqttBrokerConfig, log: Log): MqttBroker {
  const readers: Reader[] = [];
  const writing = new Set<Promise<void>>();
  const written = async (): Promise<void> => void (await Promise.all(writing));
  const readersOf = new WeakMap<Client, Reader[]>();
  const aedes = createAedes(readers, readersOf, writing, log);
  const handle = (socket: Socket): void => {
    const client = aedes.handle(socket);
    socket.on("readable", () => {
      if (!readersOf.has(client) && socket.bytesRead > MAX_BYTES_BEFORE_PASSWORD) socket.destroy();
    });
  };
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, handle)
    : createTcpServer(handle);
  const listener = serve(server, address);

  return {
    add: (config, sink) => {
      const reader: Reader = {
        config,
        parse: parserOf(config.format),
        sink,
        accepts: false,
        clients: new Set(),
      };
      readers.push(reader);
      return {
        start: async () => {
          reader.accepts = true;
        },
        stop: async () => {
          reader.accepts = false;
          await written();
        },
        state: () =>
          reader.clients.size > 0 ? { state: "connected", detail: config.topic } : { state: "waiting" },
      };
    },
    start: async () => {
      await aedes.listen();
      await listener.start();
    },
    stop: async () => {
      server.close();
      await written();
      await new Promise<void>((resolve) => aedes.close(resolve));
    },
    port: listener.port,
  };
}

/** `readersOf` gets the readers of each client that has given its user and password. */
function createAedes(
  readers: readonly Reader[],
  readersOf: WeakMap<Client, Reader[]>,
  writing: Set<Promise<void>>,
  log: Log,
): Aedes {
  const aedes = new Aedes({
    authenticate: (client, user, password, done) => {
      const known = readers.filter(
        ({ config }) => config.user === user && sameSecret(config.password, password),
      );
      readersOf.set(client, known);
      done(null, known.length > 0);
    },
    authorizeSubscribe: (_client, _subscription, done) => done(null, null),
    // Called before PUBACK. An error ends the connection without one, so the reader keeps the message.
    authorizePublish: (client, packet, done) => {
      packet.retain = false;
      const known = client === null ? [] : (readersOf.get(client) ?? []);
      const work = publish(known, packet).then(() => done(null), done);
      writing.add(work);
      work.finally(() => writing.delete(work));
    },
  });
  aedes.on("client", (client) => {
    for (const reader of readersOf.get(client) ?? []) reader.clients.add(client);
  });
  aedes.on("clientDisconnect", (client) => {
    for (const reader of readersOf.get(client) ?? []) reader.clients.delete(client);
  });
  for (const event of ["clientError", "connectionError"] as const) {
    aedes.on(event, (client, error) =>
      log.warn("The connection of an MQTT client has ended.", {
        client: client.id,
        reason: messageOf(error),
      }),
    );
  }
  return aedes;
}

/** Gives a message to its reader. A message to another topic is acknowledged, and says that its reader is alive. */
async function publish(readers: readonly Reader[], { topic, payload }: PublishPacket): Promise<void> {
  const bytes = Buffer.from(payload);
  const reader = readers.find(
    ({ config }) => coversTopic(config.topic, topic) && isOf(bytes, config.only_if),
  );
  if (reader === undefined) {
    for (const { sink } of readers) sink.heard();
    return;
  }
  if (!reader.accepts) throw new Error("The agent is stopping.");
  await deliver(await parsePayload(bytes, reader.parse), reader.sink);
}
