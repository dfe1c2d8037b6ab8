import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { afterEach, expect, test } from "vitest";
import * as mqttBroker from "../src/inputs/mqtt/broker.ts";
import { createRecordingSink, silentLog } from "./support.ts";

const EPC = "303435FC8803D056D15B963F";
const OTHER = "E28011606000020A7C41B3D2";
const impinj = (epc: string, hostname = "dock") =>
  JSON.stringify({ hostname, eventType: "tagInventory", tagInventoryEvent: { epcHex: epc } });

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** The agent as a broker with these readers. */
async function startBroker(readers: Partial<Parameters<mqttBroker.MqttBroker["add"]>[0]>[]) {
  const broker = mqttBroker.createMqttBroker({ address: { host: "127.0.0.1", port: 0 } }, silentLog);
  const added = readers.map((reader) => {
    const recorded = createRecordingSink();
    const defaults = { type: "mqtt_broker", user: "dock", password: "correct horse", format: "impinj" };
    const input = broker.add(mqttBroker.schema.parse({ ...defaults, ...reader }), recorded.sink);
    return { ...recorded, input };
  });
  for (const { input } of added) await input.start();
  await broker.start();
  running.push(broker.stop);
  return { broker, url: `mqtt://127.0.0.1:${broker.port()}`, added };
}

/** A reader, or anything else that connects to a broker. */
async function connect(url: string, options: IClientOptions = {}): Promise<MqttClient> {
  const client = await mqtt.connectAsync(url, {
    ...{ username: "dock", password: "correct horse", reconnectPeriod: 0 },
    ...options,
  });
  client.on("error", () => undefined);
  running.push(() => client.endAsync(true));
  return client;
}

const closed = (client: MqttClient) =>
  new Promise<void>((resolve) => void client.once("close", () => resolve()));

test("a message of QoS 1 to the agent's broker is acknowledged when its reads are durable", async () => {
  const { url, added } = await startBroker([{ topic: "impinj/+/events" }]);
  const [dock] = added;
  expect(dock!.input.state().state).toBe("waiting");
  const reader = await connect(url);
  await reader.publishAsync("impinj/dock/events", impinj(EPC), { qos: 1 });
  expect(dock!.epcs()).toEqual([EPC]);
  expect(dock!.input.state().state).toBe("connected");
});

test("a message that the buffer has no room for gets no PUBACK, and the reader sends it again", async () => {
  const { url, added } = await startBroker([{ topic: "dock" }]);
  const [dock] = added;
  dock!.setFull(true);
  const reader = await connect(url, { clientId: "reader-1", clean: false, reconnectPeriod: 50 });
  let acknowledged = false;
  const published = reader.publishAsync("dock", impinj(EPC), { qos: 1 }).then(() => {
    acknowledged = true;
  });
  await closed(reader);
  await dock!.until(() => dock!.seen.refused >= 2);
  expect(acknowledged).toBe(false);
  dock!.setFull(false);
  await published;
  expect(dock!.epcs()).toEqual([EPC]);
});

test("a message of QoS 2 is stored too, and is not received while the buffer is full", async () => {
  const { url, added } = await startBroker([{ topic: "dock" }]);
  const [dock] = added;
  const reader = await connect(url);
  await reader.publishAsync("dock", impinj(EPC), { qos: 2 });
  expect(dock!.epcs()).toEqual([EPC]);
  dock!.setFull(true);
  reader.publish("dock", impinj(OTHER), { qos: 2 });
  await closed(reader);
  expect(dock!.epcs()).toEqual([EPC]);
});

test("who has no reader's user and password can't connect", async () => {
  const { url } = await startBroker([{ topic: "dock" }]);
  for (const wrong of [
    { password: "wrong" },
    { username: "gate" },
    { username: undefined, password: undefined },
  ]) {
    await expect(connect(url, wrong)).rejects.toThrow(/not authorized/i);
  }
});

test("who has given no password can't fill the memory: after 64 KiB the connection ends", async () => {
  const { broker } = await startBroker([{ topic: "dock" }]);
  const socket = connectTcp(broker.port(), "127.0.0.1");
  socket.on("error", () => undefined);
  const ended = once(socket, "close");
  // A CONNECT of 256 MiB.
  socket.write(Buffer.from("10ffffff7f", "hex"));
  socket.write(Buffer.alloc(65 * 1024));
  await ended;
});

test("a reader publishes only as itself: on the topic of another one its message is no read", async () => {
  const gate = { user: "gate", password: "battery staple", topic: "gate" };
  const { url, added } = await startBroker([{ topic: "dock" }, gate]);
  const reader = await connect(url);
  await reader.publishAsync("gate", impinj(EPC), { qos: 1 });
  expect(added.map(({ reads }) => reads.length)).toEqual([0, 0]);
  expect(added.map(({ seen }) => seen.heard)).toEqual([1, 0]);
});

test("several readers behind one gateway are told apart by a field of their messages", async () => {
  const { url, added } = await startBroker(
    ["dock", "gate"].map((equals) => ({ topic: "readers", only_if: { field: "hostname", equals } })),
  );
  const gateway = await connect(url);
  await gateway.publishAsync("readers", impinj(EPC, "gate"), { qos: 1 });
  await gateway.publishAsync("readers", impinj(OTHER, "dock"), { qos: 1 });
  expect(added.map(({ epcs }) => epcs())).toEqual([[OTHER], [EPC]]);
});

test("nobody can subscribe to the agent's broker, and nothing is retained in it", async () => {
  const { url } = await startBroker([{ topic: "dock" }]);
  const reader = await connect(url);
  await reader.publishAsync("dock", impinj(EPC), { qos: 1, retain: true });
  await expect(reader.subscribeAsync("#")).rejects.toThrow(/subscribe/i);
});

test("a mapping makes reads of the messages of any device, and what it can't use is acknowledged and counted", async () => {
  const format = { mapping: 'tags.{ "epc": id }' };
  const { url, added } = await startBroker([{ topic: "other", format }]);
  const device = await connect(url);
  await device.publishAsync("other", JSON.stringify({ tags: [{ id: EPC }] }), { qos: 1 });
  await device.publishAsync("other", "no json", { qos: 1 });
  expect(added[0]!.epcs()).toEqual([EPC]);
  expect(added[0]!.reasons).toHaveLength(1);
});

test("a message that comes while the agent stops gets no PUBACK", async () => {
  const { url, added } = await startBroker([{ topic: "dock" }]);
  const reader = await connect(url);
  await added[0]!.input.stop();
  let acknowledged = false;
  reader.publish("dock", impinj(EPC), { qos: 1 }, (error) => {
    acknowledged = error === undefined || error === null;
  });
  await closed(reader);
  expect(acknowledged).toBe(false);
  expect(added[0]!.reads).toEqual([]);
});
