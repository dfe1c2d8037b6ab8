import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { create, schema } from "../src/inputs/csv/csv.ts";
import { createRecordingSink, poll, silentLog } from "./support.ts";

const EPC = "303435FC8803D056D15B963F";
const OTHER = "E28011606000020A7C41B3D2";
const columns = ["epc", "antenna"];

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

async function startInput(settings: object) {
  const recorded = createRecordingSink();
  const config = schema.parse({ type: "csv", host: "127.0.0.1", columns, ...settings });
  const input = create(config, recorded.sink, silentLog);
  running.push(input.stop);
  await input.start();
  return { ...recorded, input };
}

async function startListening() {
  const started = await startInput({ mode: "listen", port: 0 });
  const port = Number(started.input.state().detail?.replace("port ", ""));
  const open = async (): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  return { ...started, open };
}

test("the agent takes connections, and their lines are reads, also a last one without an end", async () => {
  const { open, input, reads, until, epcs } = await startListening();
  const device = await open();
  device.write(`epc,antenna\r\n${EPC},2\r\n${OTHER.slice(0, 5)}`);
  await until(() => reads.length >= 1);
  expect(input.state()).toEqual({ state: "connected", detail: "127.0.0.1" });
  device.end(`${OTHER.slice(5)},1`);
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, OTHER]);
  await poll(() => input.state().state).toBe("waiting");
});

test("a line of more than 64 KiB ends its connection only", async () => {
  const { open, reads, until } = await startListening();
  const wrong = await open();
  wrong.on("error", () => undefined);
  wrong.write("x".repeat(64 * 1024 + 1));
  await once(wrong, "close");
  (await open()).write(`${EPC},2\n`);
  await until(() => reads.length >= 1);
});

test("the agent connects to a device, and again after the connection was lost", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.write(`${sockets.length === 1 ? EPC : OTHER},3\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  running.push(async () => server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { input, reads, until, epcs } = await startInput({ mode: "connect", port });
  await until(() => reads.length >= 1);
  sockets[0]!.destroy();
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, OTHER]);
  expect(input.state()).toEqual({ state: "connected", detail: `127.0.0.1:${port}` });
});

test("a device is not read on while the buffer is full", async () => {
  const { open, reads, seen, setFull, until, epcs } = await startListening();
  setFull(true);
  const device = await open();
  device.write(`${EPC},1\n`);
  await until(() => seen.refused >= 1);
  device.write(`${OTHER},1\n`);
  setFull(false);
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, OTHER]);
});

test("an input stops although the buffer is full", async () => {
  const { open, input, seen, setFull, until } = await startListening();
  setFull(true);
  (await open()).write(`${EPC},1\n`);
  await until(() => seen.refused >= 1);
  await input.stop();
  expect(input.state().state).toBe("waiting");
});

test("a port that is in use is said at the start", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  running.push(async () => server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  await expect(startInput({ mode: "listen", port })).rejects.toThrow("EADDRINUSE");
});

test("columns without an EPC are refused", () => {
  const config = { type: "csv", mode: "listen", host: "127.0.0.1", port: 1, columns: ["ts", "ignore"] };
  expect(schema.safeParse(config).success).toBe(false);
});
