import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually, findFreePort } from "@asset-register/harness";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBuffer, type ReadBuffer } from "../buffer/buffer.ts";
import { createPlatformClock } from "../clock/platform-clock.ts";
import { systemTime } from "../clock/system-time.ts";
import { createPlatformClient } from "./platform-client.ts";
import { createSendBatch } from "./send-batch.ts";
import { createUploader, type Uploader } from "./uploader.ts";

type Request = { headers: IncomingHttpHeaders; events: { epc: string }[]; body: string };
type Reply = { status: number; body?: unknown; headers?: Record<string, string> };

/** Shows how the uploader speaks the protocol. `test/` has the same with the real platform. */
let requests: Request[];
let reply: (request: Request) => Reply | "no answer";
let stops: (() => unknown)[];
let buffer: ReadBuffer;
let port: number;
let secret: string;
let synced: number;
/** The monotonic time, if it stands still. */
let stoppedAt: number | undefined;
const monotonic = (): number => stoppedAt ?? systemTime.monotonic();

beforeEach(async () => {
  requests = [];
  stops = [];
  reply = accept;
  secret = "rdsec_1";
  synced = 0;
  stoppedAt = undefined;
  port = await findFreePort();
  buffer = openTestBuffer();
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
});

const accept = ({ events }: Request): Reply => ({
  status: 202,
  body: { results: events.map((_, index) => ({ index, status: "accepted" })) },
});

function openTestBuffer(): ReadBuffer {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-upload-"));
  const opened = openBuffer({
    file: path.join(directory, "buffer.sqlite"),
    readers: ["gate", "dock"],
    maxBytes: 1e8,
    whenFull: "refuse",
    bootId: "boot",
    monotonic,
  });
  stops.push(() => {
    opened.close();
    rmSync(directory, { recursive: true });
  });
  return opened;
}

async function startPlatform(): Promise<void> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const received = { headers: request.headers, body, events: JSON.parse(body).events };
    requests.push(received);
    const answer = reply(received);
    if (answer === "no answer") return request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body ?? {}));
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
}

function startUploader({ wall = systemTime.wall } = {}): Uploader {
  const clock = createPlatformClock({ wall, monotonic });
  const client = createPlatformClient({ url: `http://127.0.0.1:${port}` }, clock);
  const uploader = createUploader({
    readers: ["gate", "dock"].map((name) => ({ name, windowMs: 0 })),
    buffer,
    clock,
    send: createSendBatch(client, clock),
    credentialsOf: (reader) => ({ id: `rdr_${reader}`, secret }),
    syncSecrets: async () => {
      synced += 1;
      secret = "rdsec_2";
      return true;
    },
    log: { info() {}, warn() {}, error() {} },
  });
  uploader.start();
  stops.push(async () => {
    await uploader.stop(1000);
    await client.close();
  });
  return uploader;
}

const read = (reader: string, ...epcs: string[]): Promise<void> =>
  buffer.accept(
    reader,
    epcs.map((epc) => ({
      ...{ epc, count: 1, at: Date.now(), shiftMs: 0, live: true },
      ...{ received: Date.now(), monotonic: monotonic() },
    })),
  );
const untilEmpty = () => eventually(() => expect(buffer.isEmpty()).toBe(true), { timeoutMs: 20_000 });
const epcs = () => requests.flatMap(({ events }) => events.map(({ epc }) => epc));

test("a batch is signed for its reader, and its rows end with the answer", async () => {
  await startPlatform();
  await read("gate", "3034", "3035");
  startUploader();
  await untilEmpty();
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({
    headers: { "x-reader-id": "rdr_gate", "x-reader-signature": expect.stringMatching(/^v1=[0-9a-f]{64}$/) },
    events: [{ epc: "3034" }, { epc: "3035" }],
  });
});

test.each([
  ["503 with Retry-After", { status: 503, headers: { "retry-after": "1" } }],
  ["503 without Retry-After", { status: 503 }],
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["a 404 of a wrong URL", { status: 404, body: { code: "NOT_FOUND" } }],
  ["an end of the connection", "no answer" as const],
])("after %s the same nonce and body are sent again", async (_name, failure) => {
  let failures = 2;
  reply = (request) => {
    failures -= 1;
    return failures >= 0 ? failure : accept(request);
  };
  await startPlatform();
  await read("gate", "3034");
  startUploader();
  await untilEmpty();
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map(({ headers, body }) => `${headers["x-reader-nonce"]} ${body}`)).size).toBe(1);
});

test("the platform that was off gets everything when it is back", async () => {
  await read("gate", "3034");
  const uploader = startUploader();
  await eventually(() => expect(uploader.state().problem).toContain("ECONNREFUSED"));
  await read("dock", "3035");
  await startPlatform();
  await untilEmpty();
  expect(epcs().sort()).toEqual(["3034", "3035"]);
  expect(uploader.state().problem).toBeUndefined();
});

test("a refused event is kept aside with its code, the others of its batch are taken", async () => {
  reply = ({ events }) => ({
    status: 202,
    body: {
      results: events.map(({ epc }) =>
        epc === "BAD0" ? { status: "rejected", code: "NO" } : { status: "accepted" },
      ),
    },
  });
  await startPlatform();
  await read("gate", "3034", "BAD0", "3035");
  const uploader = startUploader();
  await untilEmpty();
  expect(buffer.refused.newest(9)).toMatchObject([
    { reader: "gate", code: "NO", event: expect.stringContaining("BAD0") },
  ]);
  expect(uploader.readers()[0]).toMatchObject({ sentEvents: 2, refusedEvents: 1 });
});

test("the events of a refused batch are kept aside with the code of the batch", async () => {
  reply = () => ({ status: 409, body: { code: "NONCE_REUSED" } });
  await startPlatform();
  await read("gate", "3034", "3035");
  startUploader();
  await untilEmpty();
  expect(buffer.refused.byCode()).toEqual([{ reader: "gate", code: "NONCE_REUSED", events: 2 }]);
});

test("a refused signature is followed by a sync of the secrets and the same batch with the new one", async () => {
  const valid: string[] = [];
  reply = (request) => {
    valid.push(secret);
    return secret === "rdsec_2"
      ? accept(request)
      : { status: 401, body: { code: "READER_SIGNATURE_INVALID" } };
  };
  await startPlatform();
  await read("gate", "3034");
  startUploader();
  await untilEmpty();
  expect([valid, synced]).toEqual([["rdsec_1", "rdsec_2"], 1]);
  const [first, second] = requests;
  expect(second?.headers["x-reader-nonce"]).toBe(first?.headers["x-reader-nonce"]);
  expect(second?.headers["x-reader-signature"]).not.toBe(first?.headers["x-reader-signature"]);
});

test("a reader whose signature stays refused does not stop the others, and loses nothing", async () => {
  reply = (request) =>
    request.headers["x-reader-id"] === "rdr_gate"
      ? { status: 401, body: { code: "READER_SIGNATURE_INVALID" } }
      : accept(request);
  await startPlatform();
  await read("gate", "3034");
  await read("dock", "3035");
  const uploader = startUploader();
  await eventually(() => expect(uploader.readers()[0]?.problem).toBe("READER_SIGNATURE_INVALID"));
  await eventually(() => expect(uploader.readers()[1]?.sentEvents).toBe(1));
  expect(buffer.state().rows).toBe(1);
});

test("a machine whose clock is an hour behind signs with the right time after the first answer", async () => {
  reply = (request) =>
    Math.abs(Number(request.headers["x-reader-timestamp"]) * 1000 - Date.now()) > 300_000
      ? { status: 401, body: { code: "READER_TIMESTAMP_OUT_OF_RANGE" } }
      : accept(request);
  await startPlatform();
  await read("gate", "3034");
  startUploader({ wall: () => Date.now() - 3_600_000 });
  await untilEmpty();
  expect(requests).toHaveLength(2);
  expect(synced).toBe(0);
});

test("a reader that is heard but reads nothing sends an empty batch, once a minute", async () => {
  await startPlatform();
  const uploader = startUploader();
  uploader.heard("gate");
  await eventually(() => expect(requests).toHaveLength(1));
  uploader.heard("gate");
  await read("dock", "3034");
  await untilEmpty();
  expect(requests.map(({ headers, events }) => [headers["x-reader-id"], events.length])).toEqual([
    ["rdr_gate", 0],
    ["rdr_dock", 1],
  ]);
});

test("a reader makes a request each 60 ms at most, because the platform takes 20 a second; others need not wait", async () => {
  stoppedAt = systemTime.monotonic();
  await startPlatform();
  startUploader();
  await read("gate", "3034");
  await untilEmpty();
  await read("gate", "3035");
  await read("dock", "3036");
  await eventually(() => expect(epcs()).toEqual(["3034", "3036"]));
  stoppedAt += 60;
  await untilEmpty();
  expect(epcs()).toEqual(["3034", "3036", "3035"]);
});

test("a batch under way is answered before the uploader has stopped", async () => {
  await startPlatform();
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  reply = (request) => {
    resolve();
    return accept(request);
  };
  await read("gate", "3034");
  const uploader = startUploader();
  await arrived;
  await uploader.stop(5000);
  expect(buffer.isEmpty()).toBe(true);
});
