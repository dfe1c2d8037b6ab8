import { createConnection, type Socket } from "node:net";
import { eventually, testServers } from "@asset-register/harness";
import { Kafka, logLevel } from "kafkajs";
import { expect, test } from "vitest";
import { subscribe } from "../src/index.ts";
import { event, log, SHORTEST_SESSION_MS, world } from "./support.ts";

const [JOIN_GROUP, HEARTBEAT] = [11, 12];
const [GROUP_LOAD_IN_PROGRESS, NOT_COORDINATOR_FOR_GROUP] = [14, 16];

/** Errors of the broker, by the request that gets them, once. */
type Refusals = Map<number, number>;

/** A connection of kafkajs on which some requests never reach the broker: they are answered with an error. */
function refusing(
  { host, port, onConnect }: { host: string; port: number; onConnect: () => void },
  refusals: Refusals,
) {
  const socket: Socket = createConnection({ host, port }, onConnect);
  const write = socket.write.bind(socket) as (bytes: Buffer, encoding?: BufferEncoding) => boolean;
  socket.write = (bytes: Buffer, encoding?: unknown) => {
    const request = bytes.readInt16BE(4);
    const refusal = refusals.get(request);
    if (refusal === undefined) return write(bytes, encoding as BufferEncoding);
    refusals.delete(request);
    // Correlation id, throttle time, error. A join has a generation, three empty texts and no members behind it.
    const answer = Buffer.alloc(request === JOIN_GROUP ? 28 : 14);
    answer.writeInt32BE(answer.length - 4, 0);
    bytes.copy(answer, 4, 8, 12);
    answer.writeInt16BE(refusal, 12);
    return setImmediate(() => socket.emit("data", answer)).hasRef();
  };
  return socket;
}

test("events are handled after a join that failed because the coordinator was loading, although kafkajs continues without it", async () => {
  const { consumer, kafka, publish, relay } = await world();
  const refusals: Refusals = new Map();
  const own = new Kafka({
    brokers: testServers().kafkaBrokers,
    logLevel: logLevel.NOTHING,
    socketFactory: (connection) => refusing(connection, refusals),
  });
  const handled: number[] = [];
  await consumer({
    kafka: { ...kafka, kafka: own },
    sessionTimeoutMs: SHORTEST_SESSION_MS,
    subscriptions: [
      subscribe(log, {
        handle: async (events) => void handled.push(...events.map(({ sequence }) => sequence)),
      }),
    ],
  });
  await relay();
  await publish(event(log, "a", 1));
  await eventually(() => expect(handled).toEqual([1]));
  refusals.set(JOIN_GROUP, GROUP_LOAD_IN_PROGRESS).set(HEARTBEAT, NOT_COORDINATOR_FOR_GROUP);
  await eventually(() => expect(refusals.size).toBe(0));
  await publish(event(log, "a", 2));
  await eventually(() => expect(handled).toEqual([1, 2]));
});
