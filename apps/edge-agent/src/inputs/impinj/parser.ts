import { z } from "zod";
import { noEpc, parseEpc } from "../formats/epc.ts";
import { collect, type Entry, type Parsed } from "../formats/format.ts";
import { antenna, centiDbm, jsonEntries } from "../formats/json.ts";
import { parseReaderTime } from "../formats/reader-time.ts";

/** The fields of Impinj's IoT device interface that are used. The reader's preset decides which of them it sends. */
const event = z.object({
  eventType: z.string().optional().catch(undefined),
  timestamp: z.unknown().optional(),
  tagInventoryEvent: z
    .object({
      epc: z.unknown().optional(),
      epcHex: z.unknown().optional(),
      antennaPort: antenna,
      peakRssiCdbm: centiDbm,
      lastSeenTime: z.unknown().optional(),
    })
    .optional(),
});

/** Parses events of Impinj R700 and later: one event, an array, or one event on each line. */
export function parse(body: Buffer): Parsed {
  return collect(jsonEntries(body).map(toRead));
}

function toRead(entry: unknown): Entry {
  const parsed = event.safeParse(entry);
  if (!parsed.success) return "An event is no JSON object of Impinj's IoT device interface.";
  const { tagInventoryEvent: tag, timestamp, eventType } = parsed.data;
  if (tag === undefined) {
    // Such as inventoryStatusEvent, gpiTransitionEvent or antennaConnectionEvent.
    return eventType === undefined && !isStatus(entry) ? "An event has no tagInventoryEvent." : undefined;
  }
  const epc = parseEpc(tag.epcHex) ?? fromBase64Url(tag.epc);
  if (epc === undefined) return noEpc(tag.epcHex ?? tag.epc);
  return {
    epc,
    at: parseReaderTime(tag.lastSeenTime) ?? parseReaderTime(timestamp),
    antenna: tag.antennaPort,
    rssi: tag.peakRssiCdbm === undefined ? undefined : tag.peakRssiCdbm / 100,
  };
}

/** Firmware before 7.4 sends no eventType; its events are named by their only other field. */
const isStatus = (entry: unknown): boolean =>
  typeof entry === "object" && entry !== null && Object.keys(entry).some((name) => /Event$/.test(name));

function fromBase64Url(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^[\w+/-]+={0,2}$/.test(value)) return undefined;
  return parseEpc(Buffer.from(value, "base64url").toString("hex"));
}
