import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createPlatformClock } from "../clock/platform-clock.ts";
import { createPlatformClient, type PlatformAddress } from "./platform-client.ts";

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

function clientOf(address: PlatformAddress) {
  const clock = createPlatformClock();
  const client = createPlatformClient(address, clock);
  onTestFinished(() => client.close());
  return { client, clock };
}

const BODY = new TextEncoder().encode("{}");

test("an answer has its status, its JSON and its Retry-After, and teaches the clock", async () => {
  const url = await listen(
    createServer((request, response) => {
      response.writeHead(503, { "retry-after": "7" }).end(JSON.stringify({ path: request.url }));
    }),
  );
  // A slash at the end of the URL is not doubled.
  const { client, clock } = clientOf({ url: `${url}/` });
  expect(await client.post("/a", {}, BODY)).toEqual({
    status: 503,
    retryAfterMs: 7000,
    body: { path: "/a" },
  });
  expect(clock.offsetMs()).toBe(0);
});

test("a page that is no JSON teaches the clock nothing, and a Retry-After may be a date", async () => {
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 + 60_000);
  const url = await listen(
    createServer((_request, response) => {
      response.writeHead(429, { "retry-after": at.toUTCString() }).end("<html>");
    }),
  );
  const { client, clock } = clientOf({ url });
  const { body, retryAfterMs = 0 } = await client.post("/", {}, BODY);
  expect(body).toBeUndefined();
  expect(clock.offsetMs()).toBeUndefined();
  expect(retryAfterMs).toBeGreaterThan(50_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test("a proxy of the site is used, with its user and password", async () => {
  const url = await listen(createServer((_request, response) => response.end('{"ok":true}')));
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    asked.push(request.headers["proxy-authorization"]);
    const [host, port] = (request.url ?? "").split(":");
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const one of [socket, target]) one.on("error", () => target.destroy());
    socket.on("close", () => target.destroy());
  });
  const proxyUrl = (await listen(proxy)).replace("//", "//site:secret@");
  const { client } = clientOf({ url, proxy: proxyUrl });
  expect(await client.post("/", {}, BODY)).toMatchObject({ status: 200, body: { ok: true } });
  expect(asked).toEqual([`Basic ${btoa("site:secret")}`]);
});
