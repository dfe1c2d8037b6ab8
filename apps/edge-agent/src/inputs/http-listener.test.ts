import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { certificates } from "@asset-register/harness";
import { Agent, request } from "undici";
import { afterEach, expect, test } from "vitest";
import { createHttpListener, type HttpConfig, type HttpListener, schema } from "./http-listener.ts";
import { BufferFullError, type Read } from "./input.ts";

const log = { info() {}, warn() {}, error() {} };
const LOCAL = { host: "127.0.0.1", port: 0 };

let listener: HttpListener | undefined;
afterEach(() => listener?.stop());

async function start(config: Partial<HttpConfig> = {}) {
  const got = {
    reads: [] as Read[],
    heard: 0,
    unreadable: [] as string[],
    fail: undefined as Error | undefined,
  };
  listener = createHttpListener({ address: LOCAL }, log);
  const input = listener.add(
    "gate",
    schema.parse({ type: "http", format: "json", auth: "none", ...config }),
    {
      async accept(reads) {
        if (got.fail) throw got.fail;
        got.reads.push(...reads);
      },
      heard: () => {
        got.heard += 1;
      },
      unreadable: (reason) => got.unreadable.push(reason),
    },
  );
  await input.start();
  await listener.start();
  const url = `http://127.0.0.1:${listener.port()}/readers/gate`;
  const post = (body: string, headers: Record<string, string> = {}, to = url) =>
    fetch(to, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
  return { got, input, url, post };
}

const EVENTS = JSON.stringify({
  events: [{ epc: "3034", ts: 1_767_225_600_000, antenna: 1, rssi: -50, count: 2 }],
});

test("reads are answered with 204 after they were accepted", async () => {
  const { got, post, input } = await start();
  expect((await post(EVENTS)).status).toBe(204);
  expect(got.reads).toEqual([{ epc: "3034", at: 1_767_225_600_000, antenna: 1, rssi: -50, count: 2 }]);
  expect(input.state().state).toBe("connected");
});

test("a full buffer is answered with 503 and Retry-After", async () => {
  const { got, post } = await start();
  got.fail = new BufferFullError("The disk is full.");
  const response = await post(EVENTS);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
});

test("a failure of the buffer is answered with 500, so that the reader keeps its reads", async () => {
  const { got, post } = await start();
  got.fail = new Error("broken");
  expect((await post(EVENTS)).status).toBe(500);
});

test("an input that stops answers 503", async () => {
  const { post, input } = await start();
  await input.stop();
  expect((await post(EVENTS)).status).toBe(503);
});

test("an empty body and an empty list show that the reader is alive", async () => {
  const { got, post } = await start();
  expect((await post("")).status).toBe(204);
  expect((await post('{"events":[]}')).status).toBe(204);
  expect(got.heard).toBeGreaterThanOrEqual(2);
});

test("what is not understood is answered with 400 if nothing else is in the body, else with 204", async () => {
  const { got, post } = await start();
  const refused = await post("hello");
  expect([refused.status, await refused.text()]).toEqual([400, 'The body is not {"events": [...]}.\n']);
  const mixed = await post('{"events":[{"epc":"nonsense"},{"epc":"3034"}]}');
  expect(mixed.status).toBe(204);
  expect(got.reads).toHaveLength(1);
  expect(got.unreadable).toHaveLength(2);
});

test.each([
  ["a token", { token: "secret-token" }, "Bearer secret-token"],
  ["a user and a password", { user: "gate", password: "secret-word" }, `Basic ${btoa("gate:secret-word")}`],
])("a reader with %s is refused without it or with a wrong one", async (_name, auth, right) => {
  const { got, post } = await start({ auth });
  expect((await post(EVENTS)).status).toBe(401);
  expect((await post(EVENTS, { authorization: `${right}x` })).status).toBe(401);
  expect(got.reads).toEqual([]);
  expect((await post(EVENTS, { authorization: right })).status).toBe(204);
});

test("unknown readers, other methods, other types and packed bodies are refused", async () => {
  const { post, url } = await start();
  expect((await post(EVENTS, {}, `${url}x`)).status).toBe(404);
  expect((await fetch(url)).status).toBe(405);
  expect((await post(EVENTS, { "content-type": "image/png" })).status).toBe(415);
  expect((await post(EVENTS, { "content-encoding": "gzip" })).status).toBe(415);
});

test("a body of more than 1 MiB is refused, with and without its length", async () => {
  const { url, post } = await start();
  const large = "x".repeat(1_048_577);
  expect((await post(large)).status).toBe(413);
  const stream = Readable.from([large]);
  const { statusCode } = await request(url, { method: "POST", body: stream });
  expect(statusCode).toBe(413);
});

test("the listener speaks TLS with the certificate of its files", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-tls-"));
  const [cert, key] = [path.join(directory, "cert.pem"), path.join(directory, "key.pem")];
  writeFileSync(cert, certificates.own.cert);
  writeFileSync(key, certificates.own.key);
  listener = createHttpListener({ address: LOCAL, tls: { cert, key } }, log);
  await listener.start();
  const dispatcher = new Agent({ connect: { ca: certificates.own.ca } });
  const { statusCode } = await request(`https://127.0.0.1:${listener.port()}/readers/none`, { dispatcher });
  expect(statusCode).toBe(404);
  await dispatcher.close();
  rmSync(directory, { recursive: true });
});
