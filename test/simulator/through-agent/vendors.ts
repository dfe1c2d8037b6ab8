import type { SimulatedTag } from "@asset-register/edge-agent/llrp-reader";
import type { Read } from "../send.ts";

/** The events of an Impinj R700 (IoT device interface), as its preset sends them with all fields. */
export const impinjEvents = (reads: readonly Read[]): object[] =>
  reads.map(({ epc, ts, antenna, rssi }) => ({
    timestamp: ts,
    hostname: "impinj-simulated",
    eventType: "tagInventory",
    tagInventoryEvent: {
      epc: Buffer.from(epc, "hex").toString("base64url"),
      epcHex: epc,
      antennaPort: antenna,
      peakRssiCdbm: rssi * 100,
      lastSeenTime: ts,
    },
  }));

/** The events of a Zebra FX9600 (IoT Connector) in its mode CUSTOM. */
export const zebraEvents = (reads: readonly Read[]): object[] =>
  reads.map(({ epc, ts, antenna, rssi }, index) => ({
    data: { eventNum: index, format: "epc", idHex: epc.toLowerCase(), antenna, peakRssi: rssi, reads: 1 },
    timestamp: ts.replace("Z", "+0000"),
    type: "CUSTOM",
  }));

/** The tags of an LLRP report. */
export const llrpTags = (reads: readonly Read[]): SimulatedTag[] =>
  reads.map(({ epc, ts, antenna, rssi }) => ({ epc, antenna, rssi, at: Date.parse(ts) }));
