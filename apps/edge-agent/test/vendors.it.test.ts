import { eventually, findFreePort } from "@asset-register/harness";
import mqtt, { type MqttClient } from "mqtt";
import { expect, test } from "vitest";
import { type LlrpReader, startLlrpReader } from "./llrp-reader.ts";
import { startAgentProcess } from "./site/agent-process.ts";
import { sharedPlatform, stopLater } from "./site/platform.ts";

const platform = await sharedPlatform();

const MESSAGES = 300;
const PASSWORD = "correct horse";

/** EPCs that no other test uses. */
const newEpcs = (count: number): string[] => {
  const prefix = process.hrtime.bigint().toString(16).padStart(16, "0").slice(-12);
  return Array.from({ length: count }, (_, index) =>
    `3474${prefix}${index.toString(16).padStart(8, "0")}`.toUpperCase(),
  );
};

/** A workspace with one reader and its agent. */
async function startSite(input: object, parts: { mqtt_broker?: object } = {}) {
  const workspace = await platform.newWorkspace();
  const { id, secret } = await workspace.newReader();
  const readers = [{ name: "gate", platform_reader: id, secret, input }];
  const agent = stopLater(await startAgentProcess({ platformUrl: platform.gateway.url, readers, ...parts }));
  const expectStoredOnce = (epcs: readonly string[]) =>
    eventually(async () => {
      const stored = await platform.storedEpcs(workspace.id);
      expect(epcs.filter((epc) => stored.get(epc) !== 1)).toEqual([]);
    });
  return { agent, expectStoredOnce };
}

/** Publishes one event of an Impinj reader for each EPC. What has no PUBACK is sent again after a new connection. */
async function publishAll(
  reader: MqttClient,
  epcs: readonly string[],
  onAcknowledged: () => void,
): Promise<void> {
  const publish = async (epcHex: string): Promise<void> => {
    const timestamp = new Date().toISOString();
    const event = { timestamp, eventType: "tagInventory", tagInventoryEvent: { epcHex, antennaPort: 1 } };
    await reader.publishAsync("impinj/gate", JSON.stringify(event), { qos: 1 });
    onAcknowledged();
  };
  await Promise.all(epcs.map(publish));
}

test("messages of QoS 1 to an agent that is killed meanwhile are stored once when they are acknowledged", async () => {
  const port = await findFreePort();
  const input = {
    type: "mqtt_broker",
    user: "gate",
    password: PASSWORD,
    topic: "impinj/gate",
    format: "impinj",
  };
  const { agent, expectStoredOnce } = await startSite(input, {
    mqtt_broker: { address: `127.0.0.1:${port}` },
  });
  const reader = await mqtt.connectAsync({
    ...{ protocol: "mqtt", host: "127.0.0.1", port, username: "gate", password: PASSWORD },
    ...{ clientId: "gate", clean: false, reconnectPeriod: 100 },
  });
  stopLater({ stop: () => reader.endAsync(true) });
  reader.on("error", () => undefined);
  const epcs = newEpcs(3 * MESSAGES);
  let acknowledged = 0;
  for (const part of [0, 1, 2]) {
    const first = acknowledged;
    const published = publishAll(reader, epcs.slice(part * MESSAGES, (part + 1) * MESSAGES), () => {
      acknowledged += 1;
    });
    await eventually(() => expect(acknowledged).toBeGreaterThan(first));
    await agent.kill();
    await agent.start();
    await published;
  }
  expect(acknowledged).toBe(epcs.length);
  await expectStoredOnce(epcs);
});

test("an LLRP reader continues after its agent was killed, and what it held meanwhile is stored", async () => {
  const reader: LlrpReader = stopLater(await startLlrpReader());
  const { agent, expectStoredOnce } = await startSite({ type: "llrp", host: "127.0.0.1", port: reader.port });
  const starts = () => reader.received.filter((name) => name === "START_ROSPEC").length;
  const [before, meanwhile, after] = [newEpcs(1000), newEpcs(500), newEpcs(1000)];
  await reader.until(() => starts() === 1);
  for (const epc of before) reader.read([{ epc }]);
  await expectStoredOnce(before);
  await agent.kill();
  await eventually(() => expect(reader.isConnected()).toBe(false));
  reader.read(meanwhile.map((epc) => ({ epc })));
  await agent.start();
  await reader.until(() => starts() === 2);
  for (const epc of after) reader.read([{ epc }]);
  await expectStoredOnce([...meanwhile, ...after]);
  const { readers } = await agent.status();
  expect(readers[0]).toMatchObject({ unreadable: 0, input: { type: "llrp", state: "connected" } });
});
