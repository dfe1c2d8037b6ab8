import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { certificates } from "@asset-register/harness";
import { Aedes } from "aedes";
import mqtt from "mqtt";
import { afterEach, expect, test } from "vitest";
import * as impinjStream from "../src/inputs/impinj/impinj-stream.ts";
import * as llrp from "../src/inputs/llrp/llrp.ts";
import { schema as brokerSchema, createMqttBroker } from "../src/inputs/mqtt/broker.ts";
import * as mqttClient from "../src/inputs/mqtt/client.ts";
import { startLlrpReader } from "./llrp-reader.ts";
import { createRecordingSink, poll, silentLog } from "./support.ts";

const EPC = "303435FC8803D056D15B963F";
const EVENT = `${JSON.stringify({ tagInventoryEvent: { epcHex: EPC } })}\n`;
const { own, foreign } = certificates;

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** Files with the certificate of a server and with the authorities that signed it and another one. */
function certificateFiles() {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-tls-"));
  running.push(() => rmSync(directory, { recursive: true }));
  const write = (name: string, text: string): string => {
    const file = path.join(directory, name);
    writeFileSync(file, text);
    return file;
  };
  return {
    cert: write("cert.pem", own.cert),
    key: write("key.pem", own.key),
    ca: write("ca.pem", own.ca),
    foreignCa: write("foreign.pem", foreign.ca),
  };
}

test("readers publish to the agent's broker with TLS", async () => {
  const { cert, key } = certificateFiles();
  const broker = createMqttBroker({ address: { host: "127.0.0.1", port: 0 }, tls: { cert, key } }, silentLog);
  const { sink, epcs } = createRecordingSink();
  const reader = { user: "dock", password: "correct horse", topic: "dock", format: "impinj" };
  const input = broker.add(brokerSchema.parse({ type: "mqtt_broker", ...reader }), sink);
  await input.start();
  await broker.start();
  running.push(broker.stop);
  const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${broker.port()}`, {
    ...{ username: "dock", password: "correct horse", ca: own.ca },
  });
  running.push(() => client.endAsync(true));
  await client.publishAsync("dock", EVENT, { qos: 1 });
  expect(epcs()).toEqual([EPC]);
});

test("the certificate of a reader is checked against `ca`, unless `verify` is false", async () => {
  const { cert, key, ca, foreignCa } = certificateFiles();
  const server = createServer(
    { cert: own.cert, key: own.key },
    (_request, response) => void response.write(EVENT),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  running.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const start = async (tls: object) => {
    const recorded = createRecordingSink();
    const config = impinjStream.schema.parse({ type: "impinj_stream", url, password: "impinj", tls });
    const input = impinjStream.create(config, recorded.sink, silentLog);
    running.push(input.stop);
    await input.start();
    return { ...recorded, input };
  };
  const trusted = await start({ ca });
  await trusted.until(() => trusted.reads.length > 0);
  const unchecked = await start({ verify: false });
  await unchecked.until(() => unchecked.reads.length > 0);
  const distrusted = await start({ ca: foreignCa });
  await poll(() => distrusted.input.state()).toMatchObject({
    state: "failed",
    detail: expect.stringMatching(/certificate|signature/),
  });
  expect(distrusted.reads).toEqual([]);
  expect(() =>
    impinjStream.schema.parse({ type: "impinj_stream", url, password: "x", tls: { cert, key } }),
  ).toThrow();
});

test("LLRP over TLS: a reader with a certificate of `ca` is read, one of another authority is shown with the reason", async () => {
  const { ca, foreignCa } = certificateFiles();
  const reader = await startLlrpReader({ tls: own });
  running.push(reader.stop);
  const start = async (tls: object) => {
    const recorded = createRecordingSink();
    const config = llrp.schema.parse({ type: "llrp", host: "127.0.0.1", port: reader.port, tls });
    const input = llrp.create(config, recorded.sink, silentLog);
    running.push(input.stop);
    await input.start();
    return { ...recorded, input };
  };
  const distrusted = await start({ ca: foreignCa });
  await poll(() => distrusted.input.state()).toEqual({
    state: "failed",
    detail: expect.stringContaining(
      `The certificate of 127.0.0.1:${reader.port} is not from the authority in tls.ca`,
    ),
  });
  const unknown = await start({});
  await poll(() => unknown.input.state().detail).toContain("is from no public authority");
  const trusted = await start({ ca });
  await reader.until(() => reader.received.includes("START_ROSPEC"));
  reader.read([{ epc: EPC }]);
  await trusted.until(() => trusted.reads.length > 0);
  expect(trusted.epcs()).toEqual([EPC]);
  expect(distrusted.seen.heard + unknown.seen.heard).toBe(0);
});

test("LLRP has the port 5084, and 5085 with TLS", () => {
  const portOf = (settings: object) =>
    llrp.peerOf(llrp.schema.parse({ type: "llrp", host: "yard", ...settings })).port;
  expect([{}, { tls: {} }, { tls: {}, port: 5084 }].map(portOf)).toEqual([5084, 5085, 5084]);
});

test("the agent connects to a broker with TLS", async () => {
  const { ca } = certificateFiles();
  const broker = await Aedes.createBroker();
  const server = createTlsServer({ cert: own.cert, key: own.key }, broker.handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  running.push(async () => {
    server.close();
    await new Promise<void>((resolve) => broker.close(resolve));
  });
  const address = server.address();
  const url = `mqtts://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const config = mqttClient.schema.parse({ type: "mqtt", url, tls: { ca }, topic: "dock", format: "impinj" });
  const { sink, reads, until } = createRecordingSink();
  const input = mqttClient.create(config, sink, silentLog);
  running.push(input.stop);
  const subscribed = once(broker, "subscribe");
  await input.start();
  await subscribed;
  broker.publish(
    { cmd: "publish", topic: "dock", payload: EVENT, qos: 1, dup: false, retain: false },
    () => undefined,
  );
  await until(() => reads.length > 0);
});
