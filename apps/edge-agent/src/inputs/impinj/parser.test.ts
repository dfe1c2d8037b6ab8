import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "./parser.ts";

const EPC = "303435FC8803D056D15B963F";
const AT = Date.UTC(2026, 10, 27, 8, 30, 1, 250);

/** Written by hand from the field descriptions of Impinj's "IoT device interface" (tagInventoryEvent). */
const inventory = (tag: object) => ({
  timestamp: "2026-11-27T08:30:01.900123456Z",
  hostname: "impinj-14-2a-7f",
  eventType: "tagInventory",
  tagInventoryEvent: {
    epc: Buffer.from(EPC, "hex").toString("base64url"),
    epcHex: EPC,
    antennaPort: 2,
    antennaName: "Gate left",
    peakRssiCdbm: -5650,
    frequency: 865_700,
    transmitPowerCdbm: 3000,
    lastSeenTime: "2026-11-27T08:30:01.250987654Z",
    phaseAngle: 33.75,
    ...tag,
  },
});
const read = { epc: EPC, at: AT, antenna: 2, rssi: -56.5 };
const parseText = (text: string) => parse(Buffer.from(text));

test("a single event, an array of events and a line for each event give the same reads", () => {
  const event = JSON.stringify(inventory({}));
  expect(parseText(event)).toEqual({ reads: [read], unreadable: [] });
  expect(parseText(`[${event},${event}]`)).toEqual({ reads: [read, read], unreadable: [] });
  expect(parseText(`${event}\r\n\r\n${event}\n`)).toEqual({ reads: [read, read], unreadable: [] });
});

test("an EPC only in base64url is decoded, also with padding and of 128 bits", () => {
  const epc = "E2801160600002000000ABCDFFFEFDFC";
  const base64 = Buffer.from(epc, "hex").toString("base64url");
  for (const text of [base64, `${base64}==`]) {
    const { reads } = parseText(JSON.stringify(inventory({ epc: text, epcHex: undefined })));
    expect(reads.map((found) => found.epc)).toEqual([epc]);
  }
});

test("a preset that reports only the EPC gives reads with the time of the event", () => {
  const event = { timestamp: "2026-11-27T08:30:01.900123456Z", tagInventoryEvent: { epcHex: EPC } };
  expect(parseText(JSON.stringify(event)).reads).toEqual([{ epc: EPC, at: AT + 650 }]);
});

test("fields of a wrong type are left out, and the read stays", () => {
  const odd = inventory({ antennaPort: "left", peakRssiCdbm: null, lastSeenTime: 12 });
  expect(parseText(JSON.stringify(odd)).reads).toEqual([{ epc: EPC, at: AT + 650 }]);
});

test("status events and keep-alive lines are neither reads nor unreadable", () => {
  const status = {
    timestamp: "2026-11-27T08:30:01Z",
    eventType: "inventoryStatus",
    inventoryStatusEvent: {},
  };
  const gpi = {
    timestamp: "2026-11-27T08:30:01Z",
    gpiTransitionEvent: { gpi: 1, transition: "high-to-low" },
  };
  expect(parseText(`\r\n${JSON.stringify(status)}\n\r\n${JSON.stringify(gpi)}\r\n`)).toEqual({
    ...{ reads: [], unreadable: [] },
  });
});

test("of what is not understood each entry is one line of unreadable, and the rest of the message is used", () => {
  const { reads, unreadable } = parseText(
    `${JSON.stringify(inventory({}))}\n{"half":\nnull\n{}\n${JSON.stringify(inventory({ epcHex: "30F", epc: 7 }))}`,
  );
  expect(reads).toEqual([read]);
  expect(unreadable).toHaveLength(4);
});

test("any bytes and any JSON never throw, and every tag event or foreign value of an array is counted once", () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void parse(Buffer.from(bytes))));
  const foreign = fc.jsonValue().filter((value) => typeof value !== "object" || value === null);
  const tag = fc.dictionary(fc.constantFrom("epc", "epcHex", "antennaPort", "peakRssiCdbm"), fc.jsonValue());
  const entry = fc.oneof(
    foreign,
    tag.map((fields) => inventory(fields)),
  );
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
      const { reads, unreadable } = parseText(JSON.stringify(entries));
      expect(reads.length + unreadable.length).toBe(entries.length);
    }),
  );
  fc.assert(fc.property(fc.json(), (text) => void parseText(text)));
});
