import { afterEach, expect, test } from "vitest";
import type { Input } from "../src/inputs/input.ts";
import { create, schema } from "../src/inputs/llrp/llrp.ts";
import { type LlrpReader, startLlrpReader } from "./llrp-reader.ts";
import { createRecordingSink, poll, silentLog } from "./support.ts";

const EPC = "303435FC8803D056D15B963F";
const LONG_EPC = "E2801160600002000000ABCDFFFEFDFC";
const START = ["GET_READER_CAPABILITIES", "SET_READER_CONFIG", "ENABLE_EVENTS_AND_REPORTS"];
const INVENTORY = ["DELETE_ROSPEC", "ADD_ROSPEC", "ENABLE_ROSPEC", "START_ROSPEC"];

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0).reverse()) await stop();
});

async function connect({ refuse = [] as string[], canHold = true, keepalive_seconds = 10 } = {}) {
  const reader = await startLlrpReader({ refuse, canHold });
  const recorded = createRecordingSink();
  const config = schema.parse({ type: "llrp", host: "127.0.0.1", port: reader.port, keepalive_seconds });
  const input = create(config, recorded.sink, silentLog);
  running.push(reader, input);
  await input.start();
  return { reader, input, ...recorded };
}

const started = (reader: LlrpReader, times = 1) =>
  reader.until(() => reader.received.filter((name) => name === "START_ROSPEC").length === times);

/** A report that follows the answer to START_ROSPEC, so that the input has handled that answer. */
async function readOne(
  reader: LlrpReader,
  { reads, until }: Pick<Awaited<ReturnType<typeof connect>>, "reads" | "until">,
) {
  const before = reads.length;
  reader.read([{ epc: EPC }]);
  await until(() => reads.length > before);
}

async function closed(input: Input, reader: LlrpReader) {
  await input.stop();
  return reader.received.at(-1);
}

test("the agent configures a reader, starts its inventory, takes its reports and closes the connection", async () => {
  const { reader, input, reads, until } = await connect();
  await started(reader);
  expect(reader.received).toEqual([...START, ...INVENTORY]);
  const at = Date.now();
  reader.read([
    { epc: EPC, antenna: 3, rssi: -61, at, count: 2 },
    { epc: LONG_EPC, antenna: 1, rssi: -44, at },
  ]);
  await until(() => reads.length >= 2);
  expect(reads).toEqual([
    { epc: EPC, antenna: 3, rssi: -61, at, count: 2 },
    { epc: LONG_EPC, antenna: 1, rssi: -44, at, count: 1 },
  ]);
  expect(input.state()).toEqual({
    state: "connected",
    detail: "LLRP reader, manufacturer 9999, model 42, firmware 1.2.3, 4 antennas",
  });
  expect(await closed(input, reader)).toBe("CLOSE_CONNECTION");
  expect(input.state().state).toBe("waiting");
});

test("a keepalive is acknowledged, and says that the reader is alive", async () => {
  const { reader, seen, until } = await connect();
  await started(reader);
  const heard = seen.heard;
  reader.keepalive();
  await reader.until(() => reader.received.at(-1) === "KEEPALIVE_ACK");
  await until(() => seen.heard > heard);
});

test("after a lost connection the agent connects again, and gets what the reader held meanwhile", async () => {
  const { reader, reads, until, epcs } = await connect();
  await started(reader);
  await readOne(reader, { reads, until });
  reader.disconnect();
  reader.read([{ epc: LONG_EPC }]);
  await started(reader, 2);
  await until(() => reads.length >= 2);
  expect(epcs()).toEqual([EPC, LONG_EPC]);
});

test("a reader that can't hold reports is not asked for it", async () => {
  const { reader, reads, until } = await connect({ canHold: false });
  await started(reader);
  expect(reader.received).not.toContain("ENABLE_EVENTS_AND_REPORTS");
  await readOne(reader, { reads, until });
});

test("while the buffer is full nothing is read on, and everything arrives in order when it has room", async () => {
  const { reader, reads, seen, setFull, until, epcs } = await connect();
  await started(reader);
  setFull(true);
  reader.read([{ epc: "0001" }]);
  await until(() => seen.refused >= 1);
  reader.read([{ epc: "0002" }]);
  reader.read([{ epc: "0003" }]);
  await until(() => seen.refused >= 2);
  setFull(false);
  await until(() => reads.length >= 3);
  expect(epcs()).toEqual(["0001", "0002", "0003"]);
});

test("a reader that refuses the ROSpec is shown as failed with its reason", async () => {
  const { reader, input } = await connect({ refuse: ["ADD_ROSPEC"] });
  await reader.until(() => reader.received.includes("ADD_ROSPEC"));
  await poll(() => input.state()).toEqual({
    state: "failed",
    detail: "The reader refused ADD_ROSPEC: bad (101)",
  });
});

test("a reader that has another client is shown as failed with that reason", async () => {
  const first = await connect();
  await started(first.reader);
  const config = schema.parse({ type: "llrp", host: "127.0.0.1", port: first.reader.port });
  const second = create(config, createRecordingSink().sink, silentLog);
  running.push(second);
  await second.start();
  await poll(() => second.state().detail).toBe("The reader is connected to another client.");
});

test("bytes that are no LLRP, and a message of more than 1 MiB, end the connection, and a new one is made", async () => {
  const { reader, reads, until } = await connect();
  await started(reader);
  reader.sendBytes("47455420202f");
  reader.sendBytes("485454502f312e310d0a");
  await started(reader, 2);
  reader.sendBytes("043d7fffffff00000001");
  await started(reader, 3);
  await readOne(reader, { reads, until });
});

test("messages and parameters of a vendor are ignored", async () => {
  const { reader, reads, reasons, until } = await connect();
  await started(reader);
  reader.sendBytes("07ff0000001300000001 0000651a 15 00000000".replaceAll(" ", ""));
  await readOne(reader, { reads, until });
  expect(reasons).toEqual([]);
});

test("a reader that sends nothing for three keepalives counts as lost, and the agent connects again", async () => {
  const { reader } = await connect({ keepalive_seconds: 1 });
  await started(reader);
  await started(reader, 2);
});
