import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { eventually, startGatewayProcess, testKeys } from "@asset-register/harness";
import { startFakeService } from "@asset-register/service-harness";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createAccounts } from "./accounts.ts";
import { gatewaySettings } from "./gateway.ts";

const CLIENTS = 100;
const SCRIPT = "/docs/scalar.js";

const keys = testKeys("gateway", "upstream");
const upstream = await startFakeService("upstream", keys, [createAccounts().implementation]);
afterAll(() => upstream?.stop());

async function start(settings: Record<string, string>) {
  const gateway = await startGatewayProcess({ ...gatewaySettings(keys, upstream, upstream), ...settings });
  onTestFinished(() => gateway.stop());
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
    const line = text.split("\n").find((one) => one.startsWith(`${name}{`));
    return Number(line?.split(" ").at(-1));
  };
  return { ...gateway, metric };
}

/** A client that asks for the largest file, uncompressed, and reads only the beginning of the answer. */
async function startIdleReader(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${SCRIPT} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  return socket;
}

test("clients that do not read share one buffer of their answer, and are not in flight", async () => {
  const { url, metric } = await start({ MAX_REQUESTS_IN_FLIGHT: "4" });
  const response = await fetch(url + SCRIPT, { headers: { "accept-encoding": "identity" } });
  const { byteLength } = await response.arrayBuffer();
  const before = await metric("process_resident_memory_bytes");
  for (let i = 0; i < CLIENTS; i += 1) await startIdleReader(url);
  const after = await metric("process_resident_memory_bytes");
  expect(after - before).toBeLessThan((CLIENTS * byteLength) / 8);
  await eventually(async () => expect(await metric("http_server_active_requests")).toBe(0));
});

test("a client that does not take its answer in time is disconnected; one that reads gets all of it", async () => {
  const { url } = await start({ ANSWER_TIMEOUT: "10s", ANSWER_BYTES_PER_SECOND: "1000000000" });
  const socket = await startIdleReader(url);
  // Bytes that arrive at a closed connection are answered with a reset.
  await eventually(() => {
    socket.write("\r\n");
    expect(socket.destroyed).toBe(true);
  });
  const response = await fetch(url + SCRIPT, { headers: { "accept-encoding": "identity" } });
  expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get("content-length")));
});
