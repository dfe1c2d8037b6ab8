import { expect, test } from "vitest";
import { decodeMessage } from "./codec.ts";
import { parseReaderEvent } from "./events.ts";
import { parseReport } from "./reports.ts";

/** Bytes as a reader sends them, written by hand from the tables of the specification (chapters 16 and 17). */
const bodyOf = (...hex: string[]) => decodeMessage(Buffer.from(hex.join(""), "hex")).body;

const HEADER = "043d 0000 0053 0000 2a01".replaceAll(" ", "");
const EPC_96 = "8d 303435fc8803d056d15b963f".replaceAll(" ", "");

/** 2026-11-27T08:30:01.250125Z in microseconds. */
const MICROSECONDS = 1_795_768_201_250_125n.toString(16).padStart(16, "0");

test("a report of two tags, one with EPC-96 and all fields, one with EPCData of 128 bits, gives two reads", () => {
  const first = [
    "00f0 002b", // TagReportData, 43 bytes
    EPC_96,
    "81 0002", // AntennaID 2
    "86 c8", // PeakRSSI -56 dBm
    `82 ${"0".repeat(16)}`, // FirstSeenTimestampUTC
    `84 ${MICROSECONDS}`, // LastSeenTimestampUTC
    "88 0007", // TagSeenCount 7
  ];
  const second = ["00f0 001d", "00f1 0016 0080 e2801160600002000000abcdfffefdfc", "81 0001"];
  const hex = [...first, ...second].join("").replaceAll(" ", "");
  expect(parseReport(bodyOf(HEADER, hex))).toEqual({
    reads: [
      { epc: "303435FC8803D056D15B963F", at: 1_795_768_201_250, antenna: 2, rssi: -56, count: 7 },
      { epc: "E2801160600002000000ABCDFFFEFDFC", antenna: 1 },
    ],
    unreadable: [],
  });
});

test("a reader without a clock reports its uptime, and the read has no time", () => {
  const tag = ["00f0 0026", EPC_96, "83 0000000000b71b00", "85 0000000000b71b00", "8a 0001"];
  const { reads } = parseReport(bodyOf(HEADER, tag.join("").replaceAll(" ", "")));
  expect(reads).toEqual([{ epc: "303435FC8803D056D15B963F" }]);
});

test("vendors' parameters in and beside the report of a tag are ignored", () => {
  const custom = "03ff 0010 0000651a 00000026 deadbeef".replaceAll(" ", "");
  const tag = `00f00021${EPC_96}${custom}`;
  expect(parseReport(bodyOf(HEADER, custom, tag)).reads).toEqual([{ epc: "303435FC8803D056D15B963F" }]);
});

test("a tag without an EPC, with one of 20 bits, or cut off is unreadable, and the others are read", () => {
  const without = "00f00007810001";
  const odd = "00f0000d 00f10009 0014 303430".replaceAll(" ", "");
  const cutOff = "00f0000881000286";
  const good = `00f00011${EPC_96}`;
  const { reads, unreadable } = parseReport(bodyOf(HEADER, without, odd, cutOff, good));
  expect(reads).toEqual([{ epc: "303435FC8803D056D15B963F" }]);
  expect(unreadable).toHaveLength(3);
  expect(parseReport(Buffer.from("00f000ff", "hex")).unreadable).toHaveLength(1);
});

test("the first notification says whether the connection is accepted, and later ones name lost reads", () => {
  const utc = `0080000c${MICROSECONDS}`;
  const event = (hex: string) => {
    const length = (4 + 12 + hex.length / 2).toString(16).padStart(4, "0");
    return parseReaderEvent(Buffer.from(`00f6${length}${utc}${hex}`, "hex"));
  };
  expect(event("010000060000")).toEqual({ refused: null, problems: [] });
  expect(event("010000060002").refused).toBe("The reader is connected to another client.");
  expect(event("010000060009").refused).toContain("(9)");
  expect(event("00fb0004").problems).toEqual(["The reader's own buffer was full: it has lost reads."]);
  expect(event("00fa00055a").problems).toEqual(["The reader's own buffer is filled to 90%."]);
  expect(event("00fc000a0004 68656174".replaceAll(" ", "")).problems[0]).toContain("heat");
});
