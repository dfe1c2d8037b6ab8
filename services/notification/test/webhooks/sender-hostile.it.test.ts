import { createSocket } from "node:dgram";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createResolver, parseNetwork, type Resolve } from "@asset-register/guarded-http";
import { certificates } from "@asset-register/harness";
import { expect, onTestFinished, test } from "vitest";
import { createSender } from "../../src/sending/sender.ts";
import { startReceiver } from "../receiver.ts";

const allowedNetworks = [parseNetwork("127.0.0.0/8")!];
const { own, foreign } = certificates;

async function send(url: string, { ca, resolve }: { ca?: string; resolve?: Resolve } = {}) {
  const sender = createSender({
    resolve: resolve ?? (async () => ["127.0.0.1"]),
    ...{ allowedNetworks, timeoutMs: 20_000, ca },
  });
  try {
    return await sender.send(url, { "content-type": "application/json" }, "{}");
  } finally {
    await sender.close();
  }
}

/** A receiver with a certificate for 127.0.0.1 of an authority that no system knows. */
async function startTlsReceiver(): Promise<{ port: number; requests: () => number }> {
  let requests = 0;
  const server = createServer({ cert: own.cert, key: own.key }, (_request, response) => {
    requests += 1;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, requests: () => requests };
}

test("a certificate of an authority that is added by WEBHOOK_CA is accepted", async () => {
  const { port, requests } = await startTlsReceiver();
  expect(await send(`https://127.0.0.1:${port}/`, { ca: own.ca })).toMatchObject({ status: 204 });
  expect(requests()).toBe(1);
});

test("an unknown authority, a foreign one and a certificate for another name are refused, and nothing is sent", async () => {
  const { port, requests } = await startTlsReceiver();
  const unknown = expect.stringMatching(
    /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/,
  );
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ error: unknown });
  expect(await send(`https://127.0.0.1:${port}/`, { ca: foreign.ca })).toHaveProperty("error");
  expect(await send(`https://receiver.example.com:${port}/`, { ca: own.ca })).toMatchObject({
    error: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
  expect(requests()).toBe(0);
});

test("a compressed answer is not unpacked: a bomb stays as small as it was sent", async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain" }).end(bomb);
  });
  onTestFinished(() => receiver.stop());
  const answer = await send(receiver.url);
  expect(answer).toMatchObject({ status: 200, excerpt: bomb.subarray(0, 1024).toString("utf8") });
  expect(receiver.received[0]?.headers["accept-encoding"]).toBe("identity");
});

test("a name that changes its address between check and connect: only the checked address is connected to", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  let asked = 0;
  const changing: Resolve = async () => {
    asked += 1;
    return [asked === 1 ? "127.0.0.1" : "10.0.0.7"];
  };
  const url = `http://rebind.example.com:${receiver.port}/`;
  expect(await send(url, { resolve: changing })).toMatchObject({ status: 204 });
  expect(asked).toBe(1);
  expect(await send(url, { resolve: changing })).toMatchObject({
    error: "the name resolves to an address that is not public",
  });
  expect(receiver.received).toHaveLength(1);
});

test("a name server that never answers ends the attempt, asks twice for all callers, and stops nothing else", async () => {
  let questions = 0;
  const silent = createSocket("udp4", () => {
    questions += 1;
  });
  await new Promise<void>((resolve) => silent.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const resolve = createResolver([`127.0.0.1:${silent.address().port}`]);
  const sent = Array.from({ length: 20 }, () => send("https://silent.example.com/", { resolve }));
  // dns.lookup would occupy the threads that also read files.
  const first = await Promise.race([readFile(import.meta.filename).then(() => "the file"), ...sent]);
  expect(first).toBe("the file");
  for (const answer of await Promise.all(sent)) {
    expect(answer).toMatchObject({ error: "the name does not resolve" });
  }
  expect(questions).toBe(2);
});
