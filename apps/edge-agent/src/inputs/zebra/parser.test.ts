import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "./parser.ts";

const EPC = "E28011606000020A7C41B3D2";
const AT = Date.UTC(2026, 10, 27, 8, 30, 1, 250);

/** Written by hand from the field descriptions of Zebra's "IoT Connector" (tag data events). */
const simple = (data: object) => ({
  data: { eventNum: 17, format: "epc", idHex: EPC.toLowerCase(), ...data },
  timestamp: "2026-11-27T08:30:01.250+0000",
  type: "SIMPLE",
});
const custom = (data: object) => ({
  ...simple({ antenna: 3, channel: 866.3, peakRssi: -47, phase: 12.5, reads: 4, PC: "3000", ...data }),
  type: "CUSTOM",
});
const parseText = (text: string) => parse(Buffer.from(text));
const parseEvents = (...events: object[]) => parseText(JSON.stringify(events));

test("a SIMPLE event gives the EPC and the time; a CUSTOM one also antenna, signal strength and count", () => {
  expect(parseText(JSON.stringify(simple({})))).toEqual({ reads: [{ epc: EPC, at: AT }], unreadable: [] });
  expect(parseText(JSON.stringify(custom({}))).reads).toEqual([
    { epc: EPC, at: AT, antenna: 3, rssi: -47, count: 4 },
  ]);
});

test("a batch is an array, and lines of events are read too", () => {
  expect(parseEvents(simple({}), custom({})).reads).toHaveLength(2);
  expect(parseText(`${JSON.stringify(simple({}))}\n${JSON.stringify(custom({}))}\n`).reads).toHaveLength(2);
});

test("the TID that FastID adds is no part of the EPC", () => {
  const { reads } = parseEvents(custom({ format: "fastID", idHex: `${EPC}e28011b02000b30a26ba03b6` }));
  expect(reads.map(({ epc }) => epc)).toEqual([EPC]);
});

test("heartbeats and other management events are neither reads nor unreadable", () => {
  const heartbeat = { component: "RG", data: { radio_control: {} }, eventNum: 3, type: "heartbeat" };
  const gpi = { component: "RC", data: { pin: 1, state: "HIGH" }, eventNum: 4, type: "gpi" };
  expect(parseEvents(heartbeat, gpi)).toEqual({ reads: [], unreadable: [] });
});

test("a reader without a clock gives reads without a time", () => {
  const event = { ...simple({}), timestamp: "1970-01-01T00:03:10.120+0000" };
  expect(parseEvents(event).reads).toEqual([{ epc: EPC }]);
});

test("of what is not understood each entry is one line of unreadable, and the rest of the message is used", () => {
  const { reads, unreadable } = parseEvents(custom({}), simple({ idHex: "12" }), { type: "SIMPLE" }, [], {});
  expect(reads).toHaveLength(1);
  expect(unreadable).toHaveLength(4);
});

test("any bytes and any JSON never throw, and every tag event or foreign value of an array is counted once", () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void parse(Buffer.from(bytes))));
  const foreign = fc.jsonValue().filter((value) => typeof value !== "object" || value === null);
  const fields = fc.dictionary(
    fc.constantFrom("idHex", "antenna", "peakRssi", "reads", "format"),
    fc.jsonValue(),
  );
  const entry = fc.oneof(
    foreign,
    fields.map((data) => custom(data)),
  );
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
      const { reads, unreadable } = parseText(JSON.stringify(entries));
      expect(reads.length + unreadable.length).toBe(entries.length);
    }),
  );
  fc.assert(fc.property(fc.json(), (text) => void parseText(text)));
});
