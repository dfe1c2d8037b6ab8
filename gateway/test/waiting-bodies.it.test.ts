import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Writable } from "node:stream";
import { eventually } from "@asset-register/harness";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { IngestService, ReaderState } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { createLogger, type Logger } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "./gateway.ts";

const ACTIVE = "rdr_active";
const SHARE = 10;

const upstreams = [
  serving(SessionService, { login: () => ({}), logout: () => ({}) }),
  serving(IngestService, {
    resolveReaders: ({ readerIds }) => ({
      readers: readerIds.map((id) =>
        id === ACTIVE ? { state: ReaderState.ACTIVE, workspaceId: "wsp_1" } : { state: ReaderState.REFUSED },
      ),
    }),
    ingestSignedBatches: ({ batches }) => ({ batches: batches.map(() => ({ results: [] })) }),
  }),
];

async function start(settings: Record<string, string> = {}, logger?: Logger) {
  const gateway = await startGateway({
    ...(logger && { logger }),
    implementations: upstreams,
    settings: {
      MAX_REQUESTS_IN_FLIGHT: String(2 * SHARE),
      MAX_WAITING_BODIES: "100",
      MAX_WAITING_BODIES_PER_NETWORK: String(SHARE),
      TRUSTED_PROXIES: "127.0.0.1",
      ...settings,
    },
  });
  onTestFinished(() => gateway.stop());
  return gateway;
}

type Headers = Record<string, string>;
type Begun = { socket: Socket; received(): string };

/** Sends the headers of a POST with a body of 100 bytes, and the beginning of its body. */
async function begin(url: string, path: string, headers: Headers): Promise<Begun> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", (data) => {
    text += data.toString();
  });
  await once(socket, "connect");
  const all = { host: "x", "content-type": "application/json", "content-length": "100", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n{`);
  return { socket, received: () => text };
}

const LOGIN = "/asset_manager_api/login";
const INGEST = "/asset_manager_api/ingest/events";
const from = (address: string): Headers => ({ "x-forwarded-for": address });
const statusOf = ({ received }: Begun): number => Number(received().split(" ")[1]);
/** Refused requests, and silent ones (408) whose place another request took after a second. */
const turnedAway = (begun: readonly Begun[]) =>
  begun.filter((one) => [408, 429, 503].includes(statusOf(one)));
const seconds = (ms = 0): string => String(Math.floor((Date.now() + ms) / 1_000));
const signed = (readerId: string, timestamp = seconds()): Headers => ({
  "x-reader-id": readerId,
  "x-reader-timestamp": timestamp,
  "x-reader-nonce": "n",
  "x-reader-signature": "v1=00",
});

test("bodies that never end use up the share of their network, and keep out no other request", async () => {
  const gateway = await start();
  const begun = await Promise.all(
    Array.from({ length: 3 * SHARE }, () => begin(gateway.url, LOGIN, from("192.0.2.1"))),
  );
  await eventually(() => {
    expect(turnedAway(begun)).toHaveLength(2 * SHARE);
    for (const { received } of begun.filter((one) => statusOf(one) === 429)) {
      expect(received().toLowerCase()).toContain("retry-after: 1");
    }
  });
  const token = gateway.accounts.session("view");
  const signOut = await gateway.surfaceB(token).call("POST", "/logout", {}, from("192.0.2.2"));
  expect(signOut.status).toBe(200);
  expect((await gateway.surfaceA(gateway.accounts.apiKey()).call("GET", "/me")).status).toBe(200);
});

test("the share of a network is free again when its clients disconnect", async () => {
  const gateway = await start();
  const begun = await Promise.all(
    Array.from({ length: SHARE }, () => begin(gateway.url, LOGIN, from("192.0.2.1"))),
  );
  const another = () => begin(gateway.url, LOGIN, from("192.0.2.1"));
  const refused = await another();
  await eventually(() => expect(turnedAway([...begun, refused])).toHaveLength(1));
  for (const { socket } of begun) socket.destroy();
  await eventually(async () => {
    const body = { email: "ada@example.com" };
    expect((await gateway.surfaceB().call("POST", "/login", body, from("192.0.2.1"))).status).toBe(422);
  });
});

test("beyond MAX_WAITING_BODIES every network gets 503", async () => {
  const gateway = await start({ MAX_WAITING_BODIES: "2" });
  const begun = await Promise.all(
    [1, 2, 3].map((host) => begin(gateway.url, LOGIN, from(`192.0.2.${host}`))),
  );
  await eventually(() => expect(turnedAway(begun)).toHaveLength(1));
});

test("ten silent networks that use all places give them to others, and refusals are not logged", async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const logger = createLogger({ service: "gateway", level: "info", destination });
  const gateway = await start({ MAX_WAITING_BODIES: "20", MAX_WAITING_BODIES_PER_NETWORK: "2" }, logger);
  const silent = await Promise.all(
    Array.from({ length: 20 }, (_, index) => begin(gateway.url, LOGIN, from(`192.0.2.${index % 10}`))),
  );
  const refused = await begin(gateway.url, LOGIN, from("198.51.100.1"));
  await eventually(() => expect(turnedAway([...silent, refused])).not.toEqual([]));
  const rest = `${JSON.stringify({ email: "ada@example.com" }).slice(1)}`.padEnd(99);
  await eventually(async () => {
    const { socket, received } = await begin(gateway.url, LOGIN, from("198.51.100.1"));
    socket.write(rest);
    await eventually(() => expect(received()).toMatch(/^HTTP/));
    expect(received()).toMatch(/^HTTP\/1.1 422 /);
  });
  expect(silent.filter((one) => statusOf(one) === 408).length).toBeGreaterThan(0);
  // On a busy machine the first connection to Redis takes long, and is logged.
  const ofRequests = lines.filter((line) => !line.includes("Redis is unavailable"));
  expect(ofRequests.filter((line) => line.includes("overloaded") || line.includes("stack"))).toEqual([]);
});

test("the body of a public route has at most 16 KiB, and must arrive in 5 s", async () => {
  const gateway = await start();
  const slow = await begin(gateway.url, LOGIN, {});
  const closed = once(slow.socket, "close");
  const started = performance.now();
  const body = { email: "ada@example.com", password: "x".repeat(20_000) };
  expect(await gateway.surfaceB().call("POST", "/login", body)).toMatchObject({
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE" },
  });
  await closed;
  expect(statusOf(slow)).toBe(408);
  expect(performance.now() - started).toBeLessThan(50_000);
});

test("a public route names only the first wrong field, an unknown one before a missing one", async () => {
  const gateway = await start();
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
  for (const [body, field] of [
    [unknown, "x0"],
    [{ passwort: "x" }, "passwort"],
    [{}, "email"],
  ] as const) {
    const answer = await gateway.surfaceB().call("POST", "/login", body);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field }] } });
    expect((answer.body as { errors: unknown[] }).errors).toHaveLength(1);
  }
});

test("the body of signed reads is read only if the headers name an active reader and a time in the window", async () => {
  const gateway = await start();
  for (const [headers, code] of [
    [{}, "READER_SIGNATURE_INVALID"],
    [signed("rdr_unknown"), "READER_SIGNATURE_INVALID"],
    [signed("x".repeat(500)), "READER_SIGNATURE_INVALID"],
    [signed(ACTIVE, seconds(-600_000)), "READER_TIMESTAMP_OUT_OF_RANGE"],
    [signed(ACTIVE, "soon"), "READER_TIMESTAMP_OUT_OF_RANGE"],
  ] as const) {
    const refused = await begin(gateway.url, INGEST, headers);
    await eventually(() => expect(statusOf(refused)).toBe(401));
    expect(refused.received()).toContain(code);
  }
  const { socket, received } = await begin(gateway.url, INGEST, signed(ACTIVE));
  socket.write(" ".repeat(99));
  await eventually(() => expect(received()).toMatch(/^HTTP\/1.1 202 /));
});

test("a reader may have eight bodies on their way, and another network's do not count", async () => {
  const gateway = await start({ MAX_REQUESTS_IN_FLIGHT: "100", MAX_WAITING_BODIES_PER_NETWORK: "100" });
  const beginFrom = (address: string) => begin(gateway.url, INGEST, { ...signed(ACTIVE), ...from(address) });
  const begun = await Promise.all(Array.from({ length: 9 }, () => beginFrom("192.0.2.1")));
  await eventually(() => expect(turnedAway(begun)).toHaveLength(1));
  const { socket, received } = await beginFrom("192.0.2.2");
  socket.write(" ".repeat(99));
  await eventually(() => expect(received()).toMatch(/^HTTP\/1.1 202 /));
});

test("an unknown address is 404 before its body is read, on both surfaces and outside of them", async () => {
  const gateway = await start();
  for (const path of ["/nowhere", "/v1/nowhere", "/asset_manager_api/nowhere"]) {
    const begun = await begin(gateway.url, path, {});
    await eventually(() => expect(statusOf(begun)).toBe(404));
    expect(begun.received()).toContain("NOT_FOUND");
  }
});

test("connections of a network beyond its share are closed, but not those of a trusted proxy", async () => {
  const MAX = 3;
  const settings = { MAX_CONNECTIONS_PER_NETWORK: String(MAX) };
  for (const [proxies, open] of [
    ["192.0.2.1", MAX],
    ["127.0.0.1", 2 * MAX],
  ] as const) {
    const gateway = await start({ ...settings, TRUSTED_PROXIES: proxies });
    const begun = await Promise.all(Array.from({ length: 2 * MAX }, () => begin(gateway.url, LOGIN, {})));
    await eventually(() => expect(begun.filter(({ socket }) => !socket.closed)).toHaveLength(open));
  }
});
