import type { LlrpReader } from "@asset-register/edge-agent/llrp-reader";
import mqtt from "mqtt";
import type { Read } from "../send.ts";
import { impinjEvents, llrpTags, zebraEvents } from "./vendors.ts";

/** The readers of the site: how each is configured in the agent, by its name. */
export const NAMES = ["impinj-post", "zebra-post", "llrp", "impinj-mqtt"] as const;
export type DeviceName = (typeof NAMES)[number];

const PASSWORD = "simulated-password";
const TOPIC = "impinj/simulated/events";

/** The settings of the inputs. */
export const inputsOf = (llrp: LlrpReader): Record<DeviceName, object> => ({
  "impinj-post": { type: "http", format: "impinj", auth: { user: "impinj", password: PASSWORD } },
  "zebra-post": { type: "http", format: "zebra", auth: { token: PASSWORD } },
  llrp: { type: "llrp", host: "127.0.0.1", port: llrp.port },
  "impinj-mqtt": {
    ...{ type: "mqtt_broker", user: "impinj", password: PASSWORD },
    ...{ topic: TOPIC, format: "impinj" },
  },
});

/** Sends reads as the device does. Resolves when they are acknowledged; LLRP has no acknowledgement. */
export type Devices = {
  send(name: DeviceName, reads: readonly Read[]): Promise<void>;
  stop(): Promise<void>;
};

/** Connects the devices to a running agent. */
export async function connectDevices(
  ports: { http: number; mqtt: number },
  llrp: LlrpReader,
): Promise<Devices> {
  const publisher = await mqtt.connectAsync(`mqtt://127.0.0.1:${ports.mqtt}`, {
    ...{ username: "impinj", password: PASSWORD, clientId: "impinj-simulated", clean: false },
  });
  // Its inventory runs: what it reads is reported.
  await llrp.until(() => llrp.received.includes("START_ROSPEC"));

  const post = async (name: DeviceName, events: object[], authorization: string): Promise<void> => {
    const { status } = await fetch(`http://127.0.0.1:${ports.http}/readers/${name}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(events),
    });
    if (status !== 204) throw new Error(`The agent answered ${name} with ${status}.`);
  };
  const basic = `Basic ${Buffer.from(`impinj:${PASSWORD}`).toString("base64")}`;
  const send: Record<DeviceName, (reads: readonly Read[]) => Promise<unknown>> = {
    "impinj-post": (reads) => post("impinj-post", impinjEvents(reads), basic),
    "zebra-post": (reads) => post("zebra-post", zebraEvents(reads), `Bearer ${PASSWORD}`),
    llrp: async (reads) => llrp.read(llrpTags(reads)),
    // One message for each event, as the reader sends them.
    "impinj-mqtt": (reads) =>
      Promise.all(
        impinjEvents(reads).map((event) => publisher.publishAsync(TOPIC, JSON.stringify(event), { qos: 1 })),
      ),
  };
  return {
    send: async (name, reads) => {
      await send[name](reads);
    },
    stop: () => publisher.endAsync(),
  };
}
