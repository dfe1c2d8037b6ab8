import { type AddressInfo, createServer, type Server } from "node:net";
import { type Network, parseNetwork, type Resolve } from "@asset-register/guarded-http";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createSender } from "../../src/sending/sender.ts";
import { type Receiver, startReceiver } from "../receiver.ts";

let receiver: Receiver;
/** Counts connections, whether anything is sent or not. */
let listener: Server;
let connections = 0;
beforeEach(async () => {
  receiver = await startReceiver();
  connections = 0;
  listener = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await receiver.stop();
  listener.close();
});

const network = (text: string): Network => parseNetwork(text)!;
const loopback = network("127.0.0.1/32");
const unresolvable: Resolve = async () => {
  throw new Error("NXDOMAIN");
};

async function send(url: string, allowedNetworks: Network[], resolve = unresolvable) {
  const sender = createSender({ resolve, allowedNetworks, timeoutMs: 20_000 });
  try {
    return await sender.send(url, { "content-type": "application/json" }, "{}");
  } finally {
    await sender.close();
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test("the sender posts and keeps the beginning of the answer", async () => {
  const chatty = await startReceiver(
    (response) => void response.writeHead(503, { "retry-after": "7" }).end("é".repeat(4000)),
  );
  const answer = await send(chatty.url, [loopback]);
  expect(answer).toMatchObject({ status: 503, retryAfter: "7", excerpt: "é".repeat(512) });
  await chatty.stop();
});

test("an informational response is not the answer", async () => {
  const hinting = await startReceiver((response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.writeHead(202).end("accepted");
  });
  expect(await send(hinting.url, [loopback])).toMatchObject({ status: 202, excerpt: "accepted" });
  await hinting.stop();
});

test("a name that resolves to any address that is not allowed is not connected to", async () => {
  const elsewhere = network("127.0.0.2/32");
  const url = `http://rebind.example.com:${portOf(listener)}/`;
  for (const addresses of [["127.0.0.1"], ["127.0.0.2", "127.0.0.1"], ["::ffff:127.0.0.1"], []]) {
    expect(await send(url, [elsewhere], async () => addresses)).toHaveProperty("error");
  }
  expect(connections).toBe(0);
});

test("the connected address is checked again after the addresses of the name", async () => {
  let asked = 0;
  const once: Network = {
    text: "only the first time",
    contains: () => {
      asked += 1;
      return asked === 1;
    },
  };
  const answer = await send(`http://receiver.example.com:${receiver.port}/`, [once], async () => [
    "127.0.0.1",
  ]);
  expect(answer).toMatchObject({ error: "the connected address is not public" });
  expect(receiver.received).toEqual([]);
});

test("an address that was allowed when the URL was stored, and is not allowed now, is not connected to", async () => {
  const url = `http://127.0.0.1:${portOf(listener)}/`;
  expect(await send(url, [])).toMatchObject({ error: "the URL is not allowed" });
  expect(await send(url, [network("127.0.0.2/32")])).toMatchObject({ error: "the URL is not allowed" });
  expect(connections).toBe(0);
});

test("proxies of the environment are ignored", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"]) {
    vi.stubEnv(name, `http://127.0.0.1:${portOf(listener)}`);
  }
  expect(await send(receiver.url, [loopback])).toMatchObject({ status: 204 });
  expect(connections).toBe(0);
});

test("a refused connection and a broken answer give an error that shows nothing of the internal network", async () => {
  const port = portOf(listener);
  expect(await send(`http://127.0.0.1:${port}/`, [loopback])).toMatchObject({
    error: expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/),
  });
  await new Promise((resolve) => listener.close(resolve));
  expect(await send(`http://127.0.0.1:${port}/`, [loopback])).toMatchObject({ error: "ECONNREFUSED" });
});
