import { once } from "node:events";
import { createServer } from "node:net";
import { Aedes, type AedesOptions } from "aedes";
import { afterEach, expect, test } from "vitest";
import { create, schema } from "../src/inputs/mqtt/client.ts";
import { createRecordingSink, poll, silentLog } from "./support.ts";

const EPC = "303435FC8803D056D15B963F";
const OTHER = "E28011606000020A7C41B3D2";
const zebra = (epc: string) => JSON.stringify([{ type: "SIMPLE", data: { idHex: epc } }]);

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** A broker of the site. */
async function startBroker(options: AedesOptions = {}) {
  const broker = await Aedes.createBroker(options);
  const server = createServer(broker.handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  running.push(async () => {
    server.close();
    await new Promise<void>((resolve) => broker.close(resolve));
  });
  const address = server.address();
  const url = `mqtt://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const publish = (payload: string, { topic = "zebra/gate/tags", qos = 1 as 0 | 1 } = {}) =>
    new Promise<void>((resolve) =>
      broker.publish({ cmd: "publish", topic, payload, qos, dup: false, retain: false }, () => resolve()),
    );
  return { broker, url, publish };
}

/** The input, when it has subscribed. */
async function startInput(url: string, settings: object = {}) {
  const recorded = createRecordingSink();
  const config = { type: "mqtt", url, topic: "zebra/gate/#", format: "zebra", ...settings };
  const input = create(schema.parse(config), recorded.sink, silentLog);
  running.push(input.stop);
  await input.start();
  return { ...recorded, input };
}

const connected = (input: { state(): { state: string } }) =>
  poll(() => input.state().state).toBe("connected");

test("messages of the topic become reads, and others are not received", async () => {
  const { url, publish } = await startBroker();
  const { input, reads, until, epcs } = await startInput(url);
  await connected(input);
  await publish(zebra(OTHER), { topic: "zebra/dock/tags" });
  await publish(zebra(EPC));
  await publish(zebra(OTHER), { qos: 0 });
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, OTHER]);
  expect(input.state().detail).toBe(`${url}, zebra/gate/#`);
});

test("a message of QoS 1 is acknowledged only after its reads are durable, however long the buffer is full", async () => {
  const { broker, url, publish } = await startBroker();
  const { input, reads, seen, setFull, until } = await startInput(url);
  await connected(input);
  const acknowledged: number[] = [];
  broker.on("ack", () => void acknowledged.push(reads.length));
  setFull(true);
  await publish(zebra(EPC));
  await until(() => seen.refused >= 2);
  expect(acknowledged).toEqual([]);
  setFull(false);
  await once(broker, "ack");
  expect(acknowledged).toEqual([1]);
});

test("a message of QoS 0 is lost while the buffer is full, and this is said", async () => {
  const { url, publish } = await startBroker();
  const { input, reads, reasons, setFull, until } = await startInput(url);
  await connected(input);
  setFull(true);
  await publish(zebra(EPC), { qos: 0 });
  await until(() => reasons.length >= 1);
  expect(reasons[0]).toContain("1 reads of a message of QoS 0 are lost");
  expect(reads).toEqual([]);
});

test("a message whose write fails is not acknowledged, and comes again with the next connection", async () => {
  const { broker, url, publish } = await startBroker();
  const { input, reads, failOnce, until, epcs } = await startInput(url);
  await connected(input);
  failOnce(new Error("The disk is broken."));
  const again = once(broker, "subscribe");
  await publish(zebra(EPC));
  await again;
  await until(() => reads.length >= 1);
  expect(epcs()).toEqual([EPC]);
});

test("the broker keeps messages while the agent is not connected, and those that it had not acknowledged", async () => {
  const { broker, url, publish } = await startBroker();
  const first = await startInput(url);
  await connected(first.input);
  first.setFull(true);
  await publish(zebra(EPC));
  await first.until(() => first.seen.refused >= 1);
  const left = once(broker, "clientDisconnect");
  await first.input.stop();
  await left;
  await publish(zebra(OTHER));
  const second = await startInput(url);
  await second.until(() => second.reads.length >= 2);
  expect(second.epcs()).toEqual([EPC, OTHER]);
});

test("after a lost connection the agent connects and subscribes again", async () => {
  const { broker, url, publish } = await startBroker();
  const { input, reads, until } = await startInput(url);
  await connected(input);
  const again = once(broker, "subscribe");
  const [client] = Object.values(Reflect.get(broker, "clients") as Record<string, { close(): void }>);
  client!.close();
  await again;
  await publish(zebra(EPC));
  await until(() => reads.length >= 1);
});

test("a wrong password, and a topic that the broker refuses, are shown as failed with the reason", async () => {
  const { url } = await startBroker({
    authenticate: (_client, user, password, done) =>
      done(null, user === "agent" && password?.toString() === "secret"),
    authorizeSubscribe: (_client, _subscription, done) => done(null, null),
  });
  const wrong = await startInput(url, { user: "agent", password: "wrong" });
  await poll(() => wrong.input.state().detail).toMatch(/not authorized/i);
  const refused = await startInput(url, { user: "agent", password: "secret" });
  await poll(() => refused.input.state().detail).toBe("The broker refuses the topic zebra/gate/#.");
});
