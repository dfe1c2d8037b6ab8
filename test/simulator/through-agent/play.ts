import { setTimeout as sleep } from "node:timers/promises";
import { startLlrpReader } from "@asset-register/edge-agent/llrp-reader";
import { type Api, createApi, type Demo } from "@asset-register/harness/client";
import { prepareFleet, type SimulatedReader } from "../fleet.ts";
import type { Options } from "../options.ts";
import { patient } from "../retry.ts";
import { runFleet } from "../run.ts";
import type { Read } from "../send.ts";
import { type AgentProcess, startAgent } from "./agent.ts";
import { connectDevices, type DeviceName, inputsOf, NAMES } from "./devices.ts";

/** A busy platform and the agent's backoff can take so long. */
const WAIT_MS = 120_000;
const LOOK_MS = 250;

/**
 * Plays the formats of several vendors through a real edge agent: the platform has to accept each read.
 * @throws Error if a read is missing at the end
 */
export async function playThroughAgent(
  options: Options,
  demo: Demo,
  progress: (line: string) => void,
): Promise<void> {
  const site: Options = {
    ...options,
    ...{ readers: NAMES.length, profiles: ["portal"], duplicates: 0, badSignatures: 0, skew: 0 },
  };
  const { readers, epcs } = await prepareFleet(site, demo, progress);
  const nameOf = new Map(readers.map(({ id }, index) => [id, NAMES[index] ?? "llrp"]));
  const llrp = await startLlrpReader();
  const agent = await startAgent(configOf(demo, readers, inputsOf(llrp)));
  try {
    progress("An agent takes reads of Impinj by HTTP and MQTT, of Zebra by HTTP, and of an LLRP reader");
    const devices = await connectDevices(agent, llrp);
    const sent = new Map<DeviceName, number>(NAMES.map((name) => [name, 0]));
    await runFleet({ readers, epcs }, site, async ({ id }, reads) => {
      const name = nameOf.get(id) ?? "llrp";
      const distinct = withoutRepeats(reads);
      sent.set(name, (sent.get(name) ?? 0) + distinct.length);
      await devices.send(name, distinct);
    });
    await drained(agent, sent);
    await devices.stop();
    await report(demo, readers, await agent.status(), sent, progress);
  } finally {
    await agent.stop();
    await llrp.stop();
  }
}

/** Reads of one tag at one antenna in the same millisecond are one event for the platform. */
const withoutRepeats = (reads: readonly Read[]): Read[] => [
  ...new Map(reads.map((read) => [`${read.epc} ${read.antenna} ${read.ts}`, read])).values(),
];

function configOf(
  demo: Demo,
  readers: readonly SimulatedReader[],
  inputs: Record<DeviceName, object>,
): object {
  const address = "127.0.0.1:0";
  return {
    ...{ platform: { url: demo.base_url }, page: { address }, http: { address }, mqtt_broker: { address } },
    // Each read is an event, so that they can be counted.
    thinning: { window: "0ms" },
    readers: NAMES.map((name, index) => {
      const reader = readers[index];
      const secret = reader?.key.export().toString("utf8");
      return { name, platform_reader: reader?.id, secret, input: inputs[name] };
    }),
  };
}

/** Resolves when the agent has got all reads and the platform has answered them. */
async function drained(agent: AgentProcess, sent: ReadonlyMap<DeviceName, number>): Promise<void> {
  const until = Date.now() + WAIT_MS;
  const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
  for (;;) {
    const { buffer, readers } = await agent.status();
    const got = readers.reduce((sum, { reads }) => sum + reads, 0);
    const answered = readers.reduce((sum, reader) => sum + reader.sent_events + reader.refused_events, 0);
    if (got >= total && answered >= total && buffer.rows === 0) return;
    if (Date.now() > until) {
      throw new Error(`Of ${total} reads the agent has ${got}, and the platform has answered ${answered}.`);
    }
    await sleep(LOOK_MS);
  }
}

async function report(
  demo: Demo,
  readers: readonly SimulatedReader[],
  status: Awaited<ReturnType<AgentProcess["status"]>>,
  sent: ReadonlyMap<DeviceName, number>,
  progress: (line: string) => void,
): Promise<void> {
  const surfaceB = `${demo.base_url}/asset_manager_api`;
  const { email, password } = demo;
  const { access_token } = await createApi(surfaceB).post<{ access_token: string }>("/login", {
    email,
    password,
  });
  const api = patient(createApi(surfaceB, access_token));
  for (const [index, name] of NAMES.entries()) {
    const wanted = sent.get(name) ?? 0;
    const accepted = await acceptedOf(api, readers[index]?.id, wanted);
    const found = status.readers.find((reader) => reader.name === name);
    progress(
      `  ${name.padEnd(12)} ${wanted} reads sent, ${found?.reads} taken by the agent, ${accepted} accepted by the ` +
        `platform, ${found?.refused_events} refused, ${found?.unreadable} unreadable`,
    );
    if (accepted < wanted)
      throw new Error(`${wanted - accepted} reads of ${name} are missing at the platform.`);
  }
  progress("The platform has accepted every read");
}

/** The platform writes its counters down a few seconds later. */
async function acceptedOf(api: Api, readerId: string | undefined, wanted: number): Promise<number> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const { accepted } = await api.get<{ accepted: number }>(`/readers/${readerId}`);
    if (accepted >= wanted || Date.now() > until) return accepted;
    await sleep(LOOK_MS);
  }
}
