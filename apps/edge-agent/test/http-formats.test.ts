import { afterEach, expect, test } from "vitest";
import { createHttpListener, schema } from "../src/inputs/http-listener.ts";
import { createRecordingSink, silentLog } from "./support.ts";

const EPC = "303435FC8803D056D15B963F";
const LOCAL = { host: "127.0.0.1", port: 0 };

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** Posts a body in a format, and returns the status and the reads. */
async function post(format: unknown, body: string, contentType = "application/json") {
  const listener = createHttpListener({ address: LOCAL }, silentLog);
  const { sink, epcs, seen } = createRecordingSink();
  const input = listener.add("gate", schema.parse({ type: "http", format, auth: "none" }), sink);
  await input.start();
  await listener.start();
  running.push(listener.stop);
  const url = `http://127.0.0.1:${listener.port()}/readers/gate`;
  const { status } = await fetch(url, { method: "POST", body, headers: { "content-type": contentType } });
  return { status, epcs: epcs(), heard: seen.heard };
}

test("events that an Impinj reader posts, as an array or as lines, are stored", async () => {
  const event = JSON.stringify({ eventType: "tagInventory", tagInventoryEvent: { epcHex: EPC } });
  expect(await post("impinj", `[${event}]`)).toMatchObject({ status: 204, epcs: [EPC] });
  expect(await post("impinj", `${event}\n`, "application/x-ndjson")).toMatchObject({
    status: 204,
    epcs: [EPC],
  });
});

test("a batch that a Zebra reader posts is stored, and its heartbeat says that it is alive", async () => {
  const batch = JSON.stringify([{ type: "SIMPLE", data: { idHex: EPC.toLowerCase() } }]);
  expect(await post("zebra", batch)).toMatchObject({ status: 204, epcs: [EPC] });
  const heartbeat = JSON.stringify({ type: "heartbeat", data: {} });
  expect(await post("zebra", heartbeat)).toEqual({ status: 204, epcs: [], heard: 1 });
});

test("a message of a vendor in which nothing is understood is taken, since the reader would repeat it again and again", async () => {
  for (const format of ["impinj", "zebra"] as const) {
    expect(await post(format, '[{"unknown":true}]')).toMatchObject({ status: 204, epcs: [] });
  }
});

test("the JSON of any other reader is stored by a mapping, and a wrong expression is refused at the start", async () => {
  const format = { mapping: 'reads.{ "epc": tag.code }' };
  const body = JSON.stringify({ reads: [{ tag: { code: EPC } }] });
  expect(await post(format, body)).toMatchObject({ status: 204, epcs: [EPC] });
  await expect(post({ mapping: "reads.{" }, body)).rejects.toThrow("Not a JSONata expression");
});
