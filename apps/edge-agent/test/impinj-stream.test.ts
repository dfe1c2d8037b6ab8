import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { create, schema } from "../src/inputs/impinj/impinj-stream.ts";
import { createRecordingSink, poll, silentLog } from "./support.ts";

const EPC = "303435FC8803D056D15B963F";
const OTHER = "E28011606000020A7C41B3D2";
const line = (epcHex: string) =>
  `${JSON.stringify({ eventType: "tagInventory", tagInventoryEvent: { epcHex, antennaPort: 1 } })}\r\n`;

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** The part of the reader's REST interface that the agent uses. */
async function startReader({ password = "impinj" } = {}) {
  const opened = new EventEmitter();
  const streams: ServerResponse[] = [];
  const server = createServer(({ url, headers }, response) => {
    const isKnown = headers.authorization === `Basic ${Buffer.from(`root:${password}`).toString("base64")}`;
    if (url !== "/api/v1/data/stream" || !isKnown) {
      response.writeHead(url === "/api/v1/data/stream" ? 401 : 404).end("{}");
      return;
    }
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    streams.push(response);
    opened.emit("stream");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  running.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  /** Resolves with the n-th stream that the agent has opened. */
  const stream = async (number: number): Promise<ServerResponse> => {
    while (streams.length < number) await once(opened, "stream");
    return streams[number - 1]!;
  };
  return { url, stream };
}

async function startInput(url: string, settings: object = {}) {
  const recorded = createRecordingSink();
  const config = schema.parse({ type: "impinj_stream", url, password: "impinj", ...settings });
  const input = create(config, recorded.sink, silentLog);
  running.push(input.stop);
  await input.start();
  return { ...recorded, input };
}

test("events of the stream become reads, wherever its chunks end, and empty lines say that the reader is alive", async () => {
  const { url, stream } = await startReader();
  const { input, reads, seen, until, epcs } = await startInput(url);
  const response = await stream(1);
  const bytes = line(EPC) + line(OTHER);
  response.write(bytes.slice(0, 25));
  response.write("");
  await new Promise<void>((resolve) => response.write(bytes.slice(25), () => resolve()));
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, OTHER]);
  expect(input.state()).toEqual({ state: "connected", detail: url });
  response.write("\r\n");
  await until(() => seen.heard > 0);
});

test("the agent opens the stream again when it ends, and keeps what it had read", async () => {
  const { url, stream } = await startReader();
  const { reads, until, epcs } = await startInput(url);
  const first = await stream(1);
  first.write(line(EPC));
  await until(() => reads.length >= 1);
  first.destroy();
  (await stream(2)).write(line(OTHER));
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, OTHER]);
});

test("while the buffer is full nothing is lost of what the stream has brought", async () => {
  const { url, stream } = await startReader();
  const { reads, seen, setFull, until, epcs } = await startInput(url);
  setFull(true);
  const response = await stream(1);
  response.write(line(EPC));
  await until(() => seen.refused >= 1);
  response.write(line(OTHER));
  setFull(false);
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, OTHER]);
});

test("a wrong password, and an address where nothing listens, are shown as failed with the reason", async () => {
  const { url } = await startReader({ password: "another" });
  const { input } = await startInput(url);
  await poll(() => input.state()).toEqual({ state: "failed", detail: "The reader answered 401." });
  const nowhere = await startInput("http://127.0.0.1:9");
  await poll(() => nowhere.input.state().detail).toContain("ECONNREFUSED");
});

test("a line without an end does not fill the memory: the stream is opened again", async () => {
  const { url, stream } = await startReader();
  const { reads, until } = await startInput(url);
  (await stream(1)).write("x".repeat(1024 * 1024 + 1));
  (await stream(2)).write(line(EPC));
  await until(() => reads.length >= 1);
});
